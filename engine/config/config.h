#pragma once

// `KubeSchedulerConfiguration` v1: read as strictly as kube-scheduler reads it, merged with its
// defaults and checked by its rules.
//
// What is here is the configuration after the merge, but before anybody knows which extension
// points a plugin implements. The next steps are in effective.h: take out default plugins that are
// not there, then expand every profile to one ordered list of plugins per extension point.
//
// All functions may be called on any thread; what they return is not shared.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/config/profiles/point.h"
#include "engine/document/document.h"

namespace berth::config {

// One entry of an `enabled` or `disabled` list.
struct PluginRef {
  std::string name;           // in `disabled`, "*" stands for all
  int32_t weight = 0;         // 0: not set; kube-scheduler takes negative ones too
  bool from_default = false;  // the configuration does not mention it
  Place place;  // with its path, profiles[0].plugins.score.enabled[2]; empty if from_default
};

// In order; a name may occur twice, which is an error only once the points are known.
struct PluginSet {
  std::vector<PluginRef> enabled;
  std::vector<PluginRef> disabled;
};

// One entry of `pluginConfig`. What `args` may hold only the plugin knows: here only `apiVersion`
// and `kind` inside it were checked, for the default plugins that take arguments.
struct PluginArgs {
  std::string name;
  document::Value args;  // absent or null: the plugin's defaults
  Place place;           // of the args, with their path, profiles[0].pluginConfig[1].args
};

struct Profile {
  std::string scheduler_name;  // pods choose the profile by it; never empty, unique
  std::optional<int32_t> percentage_of_nodes_to_score;  // 0..100; unset: the configuration's
  PluginSet multi_point;                      // the default plugins merged with the configuration's
  std::array<PluginSet, kPointCount> points;  // by point_index(); the default has nothing here
  std::vector<PluginArgs> plugin_config;  // each name once; also of plugins that are not enabled
  Place place;                            // with its path, profiles[0]

  // The arguments configured for a plugin; nullptr: none, so its defaults. Valid as long as the
  // profile.
  const PluginArgs* args_of(std::string_view plugin) const;
};

struct Configuration {
  std::vector<Profile> profiles;             // one at least
  int32_t percentage_of_nodes_to_score = 0;  // 0..100; 0: kube-scheduler's adaptive rule
  int64_t initial_backoff_seconds = 1;       // > 0
  int64_t max_backoff_seconds = 10;          // >= initial_backoff_seconds

  // Paths of what was checked and accepted, but changes nothing: in the order of the file what only
  // has a meaning next to an API server (leaderElection.leaderElect, parallelism, ...) and entries
  // that name no plugin; then, with the plugin's name, the pluginConfig of plugins that are not
  // enabled and of those that drop_missing() removes.
  std::vector<std::string> without_effect;

  document::Document document;  // keeps what the `args` refer to; empty for defaults()

  // What holds for a profile: its own percentage, or else the configuration's.
  int32_t percentage_for(const Profile& profile) const;
};

// What is wrong with a configuration: everything that is, in the order of the file (of more than a
// hundred faults the first and how many more). With one fault the message is that of the fault and
// so is the place; with several each stands on its own line.
class InvalidConfiguration : public Error {
 public:
  explicit InvalidConfiguration(std::vector<Error> faults);

  const std::vector<Error>& faults() const { return faults_; }  // one at least

 private:
  std::vector<Error> faults_;
};

// What kube-scheduler runs with when it is given no file.
Configuration defaults();

// Reads a YAML or JSON file ("-": standard input) with one document. Throws Error if the file
// cannot be read or has not exactly one document, InvalidConfiguration for what is wrong in it,
// syntax included.
Configuration load(const std::string& path);

// The same from a text; `name` stands for it in messages.
Configuration parse(std::string_view text, const std::string& name);

// The same from a value of a document that was read already, such as the `config` of a
// conformance case. `root` belongs to `document`; paths in messages start at `root`.
// Throws InvalidConfiguration.
Configuration from_value(document::Document document, document::Value root);

}  // namespace berth::config
