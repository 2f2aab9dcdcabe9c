#include "engine/runtime/assembly.h"

#include <algorithm>
#include <map>

#include "engine/base/assert.h"
#include "engine/host/instance/validate.h"

namespace berth::runtime {
namespace {

constexpr char kPluginsBesideProgram[] = "lib/berth/plugins";

using Libraries = std::map<std::string, std::shared_ptr<const host::Library>, std::less<>>;

host::Point host_point(config::Point point) {
  switch (point) {
    case config::Point::kPreEnqueue:
      return host::Point::kPreEnqueue;
    case config::Point::kQueueSort:
      return host::Point::kQueueSort;
    case config::Point::kPreFilter:
      return host::Point::kPreFilter;
    case config::Point::kFilter:
      return host::Point::kFilter;
    case config::Point::kPostFilter:
      return host::Point::kPostFilter;
    case config::Point::kPreScore:
      return host::Point::kPreScore;
    case config::Point::kScore:
      return host::Point::kScore;
    case config::Point::kReserve:
      return host::Point::kReserve;
    case config::Point::kPermit:
      return host::Point::kPermit;
    case config::Point::kPreBind:
      return host::Point::kPreBind;
    case config::Point::kBind:
      return host::Point::kBind;
    case config::Point::kPostBind:
      return host::Point::kPostBind;
  }
  BERTH_ASSERT(false && "a point of configurations");
  return host::Point::kFilter;
}

Libraries load(const config::Configuration& configuration, Plugins& plugins) {
  Libraries libraries;
  for (const config::Profile& profile : configuration.profiles)
    for (const std::string& name : config::enabled_plugins(profile))
      if (!libraries.contains(name)) libraries.emplace(name, plugins.load(name));
  return libraries;
}

host::Arguments arguments_of(const config::Profile& profile, const std::string& plugin) {
  const config::PluginArgs* args = profile.args_of(plugin);
  if (args != nullptr) return {args->args, args->place};
  host::Arguments none;
  none.place.field = profile.place.field + ".pluginConfig[" + plugin + "].args";
  return none;
}

// All profiles are looked at before anything is activated, so that all faults are reported at once.
void check_arguments(const config::Configuration& configuration, const Libraries& libraries,
                     std::vector<std::string>& without_effect) {
  std::vector<Error> faults;
  for (const config::Profile& profile : configuration.profiles)
    for (const std::string& name : config::enabled_plugins(profile)) {
      const host::Library& library = *libraries.find(name)->second;
      const config::PluginArgs* args = profile.args_of(name);
      if (args != nullptr && !library.takes_arguments())
        without_effect.push_back(args->place.field);
      std::vector<Error> more = host::validate(library, arguments_of(profile, name));
      faults.insert(faults.end(), more.begin(), more.end());
    }
  if (!faults.empty()) throw config::InvalidConfiguration(std::move(faults));
}

framework::ProfilePlan plan_of(const config::Profile& profile,
                               const config::EffectiveProfile& effective) {
  framework::ProfilePlan plan;
  plan.scheduler_name = effective.scheduler_name;
  plan.percentage_of_nodes_to_score = profile.percentage_of_nodes_to_score;
  auto take = [&](config::Point point, std::vector<framework::PluginAt>& plugins) {
    for (const config::EffectivePlugin& plugin : effective.at(point))
      plugins.push_back({plugin.name, plugin.weight});
  };
  take(config::Point::kPreEnqueue, plan.pre_enqueue);
  take(config::Point::kQueueSort, plan.queue_sort);
  take(config::Point::kPreFilter, plan.pre_filter);
  take(config::Point::kFilter, plan.filter);
  take(config::Point::kPostFilter, plan.post_filter);
  take(config::Point::kPreScore, plan.pre_score);
  take(config::Point::kScore, plan.score);
  take(config::Point::kReserve, plan.reserve);
  take(config::Point::kPermit, plan.permit);
  take(config::Point::kPreBind, plan.pre_bind);
  take(config::Point::kBind, plan.bind);
  take(config::Point::kPostBind, plan.post_bind);
  return plan;
}

}  // namespace

std::vector<std::filesystem::path> plugin_folders(const std::vector<std::string>& named) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& folder : named) folders.push_back(std::filesystem::absolute(folder));
  if (folders.empty()) {
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    folders.push_back(program.parent_path().parent_path() / kPluginsBesideProgram);
  }
  return folders;
}

std::shared_ptr<const host::Library> Plugins::load(const std::string& name) {
  auto& library = loaded_[name];
  if (!library) {
    auto found = std::find_if(discovery_.plugins.begin(), discovery_.plugins.end(),
                              [&](const host::Found& f) { return f.identity.name == name; });
    BERTH_ASSERT(found != discovery_.plugins.end());
    library = host::Library::load(std::move(found->file));
  }
  return library;
}

Assembly assemble(config::Configuration& configuration, Plugins& plugins,
                  const host::Environment& environment, host::CallContext& worker,
                  model::Cluster& cluster) {
  Assembly assembly;
  assembly.missing = config::drop_missing(
      configuration, [&](std::string_view plugin) { return plugins.has(plugin); });
  Libraries libraries = load(configuration, plugins);
  std::vector<config::EffectiveProfile> effective =
      config::expand(configuration, [&](std::string_view plugin, config::Point point) {
        return libraries.find(plugin)->second->implements(host_point(point));
      });
  check_arguments(configuration, libraries, assembly.without_effect);

  for (size_t i = 0; i < configuration.profiles.size(); ++i) {
    const config::Profile& profile = configuration.profiles[i];
    std::vector<std::unique_ptr<host::Instance>> instances;
    for (const std::string& name : config::enabled_plugins(profile))
      instances.push_back(std::make_unique<host::Instance>(
          libraries.find(name)->second, environment, worker, arguments_of(profile, name)));
    assembly.profiles.push_back(std::make_unique<framework::Profile>(
        plan_of(profile, effective[i]), std::move(instances), cluster));
  }
  return assembly;
}

}  // namespace berth::runtime
