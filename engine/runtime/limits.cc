#include "engine/runtime/limits.h"

#include "engine/base/assert.h"
#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/host/calls/call_context.h"

namespace berth::runtime {

void check_limits(const config::Configuration& configuration,
                  const std::vector<config::EffectiveProfile>& effective,
                  const PointCount& points_of) {
  BERTH_ASSERT(effective.size() == configuration.profiles.size());
  constexpr size_t kMost = host::kMostHooks - 1;
  std::vector<Error> faults;
  size_t hooks = 0;
  bool too_many_hooks = false;
  for (size_t i = 0; i < effective.size(); ++i) {
    const config::Profile& profile = configuration.profiles[i];
    const size_t filters = effective[i].plugins[Point::kFilter].size();
    if (filters > framework::kMostFilters)
      faults.emplace_back(profile.place, "runs " + std::to_string(filters) +
                                             " plugins at filter, and a profile can have at most " +
                                             std::to_string(framework::kMostFilters) +
                                             ": disable some of them");
    for (const std::string& plugin : config::enabled_plugins(profile))
      hooks += 1 + points_of(plugin);
    if (hooks <= kMost || too_many_hooks) continue;
    too_many_hooks = true;
    faults.emplace_back(profile.place,
                        "this profile and those before it have " + std::to_string(hooks) +
                            " hooks, and all profiles together can have at most " +
                            std::to_string(kMost) +
                            " (one for each enabled plugin, and one for each extension point "
                            "that it implements): enable fewer plugins, or use fewer profiles");
  }
  if (!faults.empty()) throw config::InvalidConfiguration(std::move(faults));
}

}  // namespace berth::runtime
