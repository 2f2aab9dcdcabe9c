#include "engine/config/config.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "engine/base/assert.h"
#include "engine/config/effective.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/config/profiles/managed_resources.h"
#include "engine/config/profiles/merge.h"
#include "engine/config/read/decode.h"
#include "engine/config/read/validate.h"

namespace berth::config {
namespace {

constexpr std::string_view kDefaultSchedulerName = "default-scheduler";

// One fault is the message itself; several are listed below one.
std::string message_of(const std::vector<Error>& faults) {
  BERTH_ASSERT(!faults.empty());
  return faults.size() == 1 ? faults.front().message() : "the configuration has several faults:";
}

std::vector<std::string> details_of(const std::vector<Error>& faults) {
  std::vector<std::string> details;
  if (faults.size() > 1)
    for (const Error& fault : faults) details.emplace_back(fault.what());
  return details;
}

Place place_of(const std::vector<Error>& faults) {
  return faults.size() == 1 ? faults.front().place() : Place{};
}

void add_defaults(Decoded& decoded, document::Value root) {
  std::vector<Profile>& profiles = decoded.configuration.profiles;
  if (profiles.empty()) {
    profiles.emplace_back();
    profiles.front().place = place_at(root, "profiles[0]");
  }
  // With several profiles, each must be named.
  if (profiles.size() == 1 && !decoded.first_is_named) {
    profiles.front().scheduler_name = kDefaultSchedulerName;
  }
  // Default plugins are all in multiPoint; the sets of the extension points have no defaults.
  for (Profile& profile : profiles) {
    profile.multi_point = merge_plugin_set(default_multi_point(), profile.multi_point);
    for (PluginSet& set : profile.points) set = merge_plugin_set({}, set);
  }
}

void list_unused_args(Configuration& configuration) {
  for (const Profile& profile : configuration.profiles) {
    const std::vector<std::string> names = enabled_plugins(profile);
    const std::unordered_set<std::string_view> enabled(names.begin(), names.end());
    for (size_t i = 0; i < profile.plugin_config.size(); ++i) {
      if (enabled.contains(profile.plugin_config[i].name)) continue;
      configuration.without_effect.push_back(args_without_effect(profile, i, "not enabled"));
    }
  }
}

// Any syntax error is fatal: a part of a configuration is another configuration.
document::Value only_root(const document::Document& document, const Diagnostics& diagnostics,
                          const std::string& path) {
  if (diagnostics.count() != 0) throw InvalidConfiguration(diagnostics.kept());
  if (document.roots().size() != 1) {
    throw Error(Place{.file = path, .field = {}},
                "holds " + std::to_string(document.roots().size()) +
                    " documents; a configuration is one, of kind KubeSchedulerConfiguration");
  }
  return document.roots().front();
}

}  // namespace

InvalidConfiguration::InvalidConfiguration(std::vector<Error> faults)
    : Error(place_of(faults), message_of(faults), details_of(faults)), faults_(std::move(faults)) {}

const PluginArgs* Profile::args_of(std::string_view plugin) const {
  const auto found = std::ranges::find(plugin_config, plugin, &PluginArgs::name);
  return found == plugin_config.end() ? nullptr : &*found;
}

int32_t Configuration::percentage_for(const Profile& profile) const {
  return profile.percentage_of_nodes_to_score.value_or(percentage_of_nodes_to_score);
}

Configuration defaults() {
  Decoded decoded;
  add_defaults(decoded, {});
  return std::move(decoded.configuration);
}

Configuration load(const std::string& path) {
  Diagnostics diagnostics;
  document::Document document = document::Document::read(path, diagnostics);
  const document::Value root = only_root(document, diagnostics, path);
  return from_value(std::move(document), root);
}

Configuration parse(std::string_view text, const std::string& name) {
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(text, name, diagnostics);
  const document::Value root = only_root(document, diagnostics, name);
  return from_value(std::move(document), root);
}

Configuration from_value(document::Document document, document::Value root) {
  BERTH_ASSERT(root.present());
  Decoded decoded = decode(root);
  add_defaults(decoded, root);
  Faults faults;
  validate(decoded, root, faults);
  faults.throw_if_any();
  list_unused_args(decoded.configuration);
  ignore_managed_resources(decoded.configuration);
  decoded.configuration.document = std::move(document);
  return std::move(decoded.configuration);
}

}  // namespace berth::config
