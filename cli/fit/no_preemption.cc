#include "cli/fit/no_preemption.h"

namespace berth::cli {

void forbid_preemption(config::Configuration& configuration) {
  for (config::Profile& profile : configuration.profiles) {
    config::PluginSet& set = profile.points[Point::kPostFilter];
    set.enabled.clear();
    set.disabled = {{.name = "*", .weight = 0, .from_default = true, .place = {}}};
  }
}

}  // namespace berth::cli
