#include "engine/runtime/assembly.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_set>

#include "engine/base/assert.h"
#include "engine/base/text/suggestion.h"
#include "engine/host/instance/validate.h"
#include "engine/host/run/external.h"
#include "engine/runtime/limits.h"

namespace berth::runtime {
namespace {

using Libraries = std::map<std::string, std::shared_ptr<const host::Library>, std::less<>>;

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + '"';
  return list;
}

// The enabled plugins of all profiles, each once.
std::vector<std::string> enabled_in(const config::Configuration& configuration) {
  std::vector<std::string> all;
  std::unordered_set<std::string> known;
  for (const config::Profile& profile : configuration.profiles)
    for (const std::string& name : config::enabled_plugins(profile))
      if (known.insert(name).second) all.push_back(name);
  return all;
}

// Throws Error if a file or folder is unusable that may hold an enabled plugin which was not found.
// Such a plugin is not missing: without it the run would decide by other rules than the user's.
void refuse_unusable(const config::Configuration& configuration, const Plugins& plugins) {
  std::vector<std::pair<const host::Problem*, std::vector<std::string>>> wanted;
  for (const std::string& name : enabled_in(configuration)) {
    if (plugins.has(name)) continue;
    for (const host::Problem* problem : plugins.discovery().problems_of(name)) {
      auto at = std::find_if(wanted.begin(), wanted.end(),
                             [&](const auto& entry) { return entry.first == problem; });
      if (at == wanted.end()) at = wanted.insert(wanted.end(), {problem, {}});
      at->second.push_back(name);
    }
  }
  if (wanted.empty()) return;
  std::vector<std::string> details;
  for (const auto& [problem, names] : wanted)
    details.push_back("plugin " + quoted_list(names) + ": " + problem->error.what());
  throw Error(
      Place{},
      "plugins that are enabled cannot be used; repair or replace what is named, or disable "
      "the plugin in the configuration:",
      details);
}

void refuse_missing(const config::Configuration& configuration, const Plugins& plugins) {
  config::refuse_missing(
      configuration, [&](std::string_view plugin) { return plugins.has(plugin); },
      plugins.discovery().names());
}

Libraries load(const config::Configuration& configuration, Plugins& plugins) {
  Libraries libraries;
  for (const config::Profile& profile : configuration.profiles)
    for (const std::string& name : config::enabled_plugins(profile))
      if (!libraries.contains(name)) libraries.emplace(name, plugins.load(name));
  return libraries;
}

host::Arguments arguments_of(const config::Profile& profile, const std::string& plugin,
                             const Rules& rules) {
  const config::PluginArgs* args = profile.args_of(plugin);
  if (args != nullptr) return {args->args, args->place, rules};
  host::Arguments none{.value = {}, .place = {}, .rules = rules};
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
        without_effect.push_back(args->place.field + " (plugin \"" + name + "\")");
      std::vector<Error> more =
          host::validate(library, arguments_of(profile, name, configuration.rules));
      faults.insert(faults.end(), more.begin(), more.end());
    }
  if (!faults.empty()) throw config::InvalidConfiguration(std::move(faults));
}

// kube-scheduler takes such a name, too, and disables nothing.
std::vector<std::string> disables_nothing(const config::Configuration& configuration,
                                          const Plugins& plugins) {
  std::vector<std::string> found;
  const auto look = [&](const config::PluginSet& set) {
    for (const config::PluginRef& plugin : set.disabled) {
      if (plugin.place.field.empty() || plugin.name.empty() || plugin.name == "*") continue;
      if (plugins.has(plugin.name) || !plugins.discovery().problems_of(plugin.name).empty())
        continue;
      const std::string nearest = nearest_word(plugin.name, plugins.discovery().names());
      found.emplace_back(
          Error(plugin.place, "disables nothing: no plugin is called \"" + plugin.name + '"' +
                                  (nearest.empty() ? "" : "; did you mean " + nearest + "?"))
              .what());
    }
  };
  for (const config::Profile& profile : configuration.profiles) {
    look(profile.multi_point);
    for (const config::PluginSet& set : profile.points) look(set);
  }
  return found;
}

bool declares(const Assembly& assembly, const std::string& column) {
  bool any = false;
  for (const auto& profile : assembly.profiles)
    profile->for_each_hook([&](const framework::BoundHook& bound) {
      for (const std::string& id : bound.hook().inputs())
        any = any || id == column || id == "cluster.epoch:*";
    });
  return any;
}

std::vector<std::string> unread_epochs(const Assembly& assembly, const host::External& external,
                                       const model::Cluster& cluster) {
  std::vector<std::string> found;
  external.for_each_epoch([&](const host::InstanceEpochs& of, uint32_t column) {
    const std::string& id = cluster.catalog().info(column).id;
    if (!declares(assembly, id))
      found.push_back("plugin \"" + of.plugin() +
                      "\" raises an epoch that no hook reads, so nothing "
                      "is asked again: a hook has to declare " +
                      id);
  });
  return found;
}

// Runs a step and adds the faults that it throws. False if there was one.
template <typename Step>
bool collect(std::vector<Error>& faults, Step&& step) {
  try {
    step();
    return true;
  } catch (const config::InvalidConfiguration& error) {
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
  } catch (const Error& error) {
    faults.push_back(error);
  }
  return false;
}

std::vector<config::EffectiveProfile> expand(const config::Configuration& configuration,
                                             const Libraries& libraries) {
  return config::expand(configuration, [&](std::string_view plugin, Point point) {
    return libraries.find(plugin)->second->implements(point);
  });
}

// Reports what is missing, and removes it. False if there was something.
bool report_missing(config::Configuration& configuration, const Plugins& plugins,
                    std::vector<Error>& faults) {
  std::vector<std::string> missing;
  const bool complete = collect(faults, [&] {
    try {
      refuse_missing(configuration, plugins);
    } catch (const config::MissingPlugins& error) {
      missing = error.names();
      throw;
    }
  });
  config::remove_plugins(configuration, missing);
  return complete;
}

}  // namespace

bool Assembly::reads(std::string_view columns) const {
  bool any = false;
  for (const auto& profile : profiles)
    profile->for_each_hook([&](const framework::BoundHook& bound) {
      for (const std::string& id : bound.hook().inputs()) any |= id.starts_with(columns);
    });
  return any;
}

Time Assembly::longest_pre_bind() const {
  Time longest{};
  for (const auto& profile : profiles)
    for (const auto& hook : profile->pre_bind)
      longest = std::max(longest, Time(hook.point->wait_limit_nanoseconds()));
  return longest;
}

std::shared_ptr<const host::Library> Plugins::load(const std::string& name) {
  auto& library = loaded_[name];
  if (!library) {
    auto found = std::find_if(discovery_.plugins.begin(), discovery_.plugins.end(),
                              [&](const host::Found& f) { return f.identity.name == name; });
    BERTH_ASSERT(found != discovery_.plugins.end());
    library = load_ ? load_(name, std::move(found->file))
                    : host::Library::load(std::move(found->file), host::host_revisions(), from_);
  }
  return library;
}

void configure(framework::DecideOptions& decide, const config::Configuration& configuration) {
  const Rules& rules = configuration.rules;
  decide.percentage_of_nodes_to_score = configuration.percentage_of_nodes_to_score;
  decide.clears_without_post_filter = rules.has(Rule::kNoPostFilterClears);
  if (decide.tie_break == framework::TieBreak::kRandom && rules.has(Rule::kTiesByHeap))
    decide.tie_break = framework::TieBreak::kHeap;
}

Assembly assemble(config::Configuration& configuration, Plugins& plugins,
                  const host::Environment& environment, host::CallContext& calls,
                  model::Cluster& cluster) {
  Assembly assembly;
  refuse_unusable(configuration, plugins);
  refuse_missing(configuration, plugins);
  Libraries libraries = load(configuration, plugins);
  std::vector<config::EffectiveProfile> effective = expand(configuration, libraries);
  check_arguments(configuration, libraries, assembly.without_effect);
  assembly.disables_nothing = disables_nothing(configuration, plugins);

  check_limits(configuration, effective, [&](const std::string& plugin) {
    return libraries.find(plugin)->second->points().size();
  });

  for (size_t i = 0; i < configuration.profiles.size(); ++i) {
    const config::Profile& profile = configuration.profiles[i];
    std::vector<std::unique_ptr<host::Instance>> instances;
    host::Environment of_profile = environment;
    of_profile.profile = effective[i].scheduler_name;
    for (const std::string& name : config::enabled_plugins(profile))
      instances.push_back(
          std::make_unique<host::Instance>(libraries.find(name)->second, of_profile, calls,
                                           arguments_of(profile, name, configuration.rules)));
    assembly.profiles.push_back(std::make_unique<framework::Profile>(
        framework::ProfilePlan{std::move(effective[i].scheduler_name),
                               profile.percentage_of_nodes_to_score,
                               std::move(effective[i].plugins)},
        std::move(instances), cluster));
  }
  if (environment.external != nullptr)
    assembly.unread_epochs = unread_epochs(assembly, *environment.external, cluster);
  return assembly;
}

Findings inspect(config::Configuration& configuration, Plugins& plugins) {
  Findings findings;
  std::vector<Error>& faults = findings.faults;
  findings.disables_nothing = disables_nothing(configuration, plugins);
  if (!collect(faults, [&] { refuse_unusable(configuration, plugins); })) return findings;
  const bool complete = report_missing(configuration, plugins, faults);
  Libraries libraries;
  if (!collect(faults, [&] { libraries = load(configuration, plugins); })) return findings;
  // Without a plugin, a point may lack what it needs.
  if (complete) collect(faults, [&] { findings.effective = expand(configuration, libraries); });
  collect(faults, [&] { check_arguments(configuration, libraries, findings.without_effect); });
  if (faults.empty())
    collect(faults, [&] {
      check_limits(configuration, findings.effective, [&](const std::string& plugin) {
        return libraries.find(plugin)->second->points().size();
      });
    });
  if (!faults.empty()) findings.effective.clear();
  return findings;
}

}  // namespace berth::runtime
