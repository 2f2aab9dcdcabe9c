#pragma once

// Makes runnable profiles from a configuration and the plugins that were found.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/effective.h"
#include "engine/framework/decision/decision.h"
#include "engine/framework/hooks/profile.h"
#include "engine/host/instance/instance.h"
#include "engine/host/loading/discovery.h"
#include "engine/runtime/clock.h"

namespace berth::runtime {

// The plugins that were found. Each is loaded when it is first needed, and once.
class Plugins {
 public:
  // Makes the library of a plugin that is needed.
  using Load = std::function<std::shared_ptr<const host::Library>(const std::string& name,
                                                                  host::SealedFile file)>;

  // Plugins are loaded into this process.
  explicit Plugins(host::Discovery discovery, host::LoadFrom from = host::LoadFrom::kSealedCopy)
      : discovery_(std::move(discovery)), from_(from) {}
  // Plugins are loaded by `load`, some into other processes, which map the columns of the cluster.
  Plugins(host::Discovery discovery, Load load)
      : discovery_(std::move(discovery)), load_(std::move(load)) {}

  // True if plugins may run in other processes.
  bool may_share_columns() const { return load_ != nullptr; }

  bool has(std::string_view name) const { return discovery_.find(name) != nullptr; }
  // Precondition: has(name). Throws Error if it does not load.
  std::shared_ptr<const host::Library> load(const std::string& name);
  const host::Discovery& discovery() const { return discovery_; }

 private:
  host::Discovery discovery_;
  host::LoadFrom from_ = host::LoadFrom::kSealedCopy;
  Load load_;
  std::map<std::string, std::shared_ptr<const host::Library>> loaded_;
};

struct Assembly {
  // True if a hook declares a column whose id begins so.
  bool reads(std::string_view columns) const;
  // The longest time that a pod may wait for a PreBind plugin.
  Time longest_pre_bind() const;

  std::vector<std::unique_ptr<framework::Profile>> profiles;  // in the order of the configuration
  // Paths of arguments for plugins that take none, with the plugin's name.
  std::vector<std::string> without_effect;
  // Entries of `disabled` whose name no plugin has, with their place and the name that was meant.
  std::vector<std::string> disables_nothing;
  // Sentences about epochs that a plugin raises (berth/abi/external.h) and no hook reads.
  std::vector<std::string> unread_epochs;
};

// Sets what a configuration and its rules say of decisions: the percentage of nodes that are
// scored, how ties are broken unless that is set already, and the end of nominations.
void configure(framework::DecideOptions& decide, const config::Configuration& configuration);

// Loads the plugins that the profiles enable, lets each check its arguments, and makes their
// instances. Throws
// - Error for a plugin that is enabled and whose file or folder cannot be used, and for one that
//   does not load or start. An unusable file of a plugin that no profile enables is no fault.
// - config::MissingPlugins for enabled plugins of which there is no file.
// - config::InvalidConfiguration, also for more plugins or hooks than can be called.
Assembly assemble(config::Configuration& configuration, Plugins& plugins,
                  const host::Environment& environment, host::CallContext& calls,
                  model::Cluster& cluster);

// The findings of assemble(), without starting a plugin.
struct Findings {
  // All faults: plugins that are missing or cannot be used, points that they do not implement, and
  // faults in their arguments. Where a plugin is missing, the points are not looked at.
  std::vector<Error> faults;
  std::vector<std::string> without_effect;    // as in Assembly
  std::vector<std::string> disables_nothing;  // as in Assembly
  // The plugins of each profile by point; empty with faults.
  std::vector<config::EffectiveProfile> effective;
};

// Loads the plugins that the profiles enable and lets each check its arguments. `configuration`
// loses what is missing.
Findings inspect(config::Configuration& configuration, Plugins& plugins);

}  // namespace berth::runtime
