#pragma once

// From a configuration and folders of plugins to profiles that run.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/effective.h"
#include "engine/framework/hooks/profile.h"
#include "engine/host/instance/instance.h"
#include "engine/host/loading/discovery.h"

namespace berth::runtime {

// The plugins that there are. Each is loaded when it is first needed, and once.
class Plugins {
 public:
  explicit Plugins(host::Discovery discovery) : discovery_(std::move(discovery)) {}

  bool has(std::string_view name) const { return discovery_.find(name) != nullptr; }
  // Precondition: has(name). Throws Error if it does not load.
  std::shared_ptr<const host::Library> load(const std::string& name);
  const host::Discovery& discovery() const { return discovery_; }

 private:
  host::Discovery discovery_;
  std::map<std::string, std::shared_ptr<const host::Library>> loaded_;
};

// Absolute folders with plugins: those that the user named, or the one that is installed beside the
// program.
std::vector<std::filesystem::path> plugin_folders(const std::vector<std::string>& named);

struct Assembly {
  std::vector<std::unique_ptr<framework::Profile>> profiles;  // in the order of the configuration
  // Default plugins of the configuration that are not there and were left out, each once, in order.
  std::vector<std::string> missing;
  // Paths of arguments for plugins that take none.
  std::vector<std::string> without_effect;
};

// Loads the plugins that the profiles enable, lets each check its arguments, and makes their
// instances. `configuration` loses what is missing. Throws config::MissingPlugins,
// config::InvalidConfiguration, and Error for a plugin that does not load or start; a plugin's file
// that cannot be used is only an error if a profile needs it.
Assembly assemble(config::Configuration& configuration, Plugins& plugins,
                  const host::Environment& environment, host::CallContext& worker,
                  model::Cluster& cluster);

}  // namespace berth::runtime
