#pragma once

// `KubeSchedulerConfiguration`: read as strictly as kube-scheduler reads it, merged with its
// defaults and validated by its rules (kube-scheduler v1.34.1 and v1.36.2,
// pkg/scheduler/apis/config). v1beta2 and v1beta3 are read with the fields, defaults and weights of
// the last releases that read them, v1.27 and v1.28, and mean the same as the v1 that write/write.h
// makes of them.
//
// The types below hold the configuration after the merge and before it is known which extension
// points a plugin implements. effective.h has the next steps: refuse enabled plugins that are not
// available, then expand every profile to one ordered list of plugins per extension point.
//
// All functions are thread-safe; they share no state, and their results belong to the caller.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/points.h"
#include "engine/config/extender.h"
#include "engine/config/gates/feature_gates.h"
#include "engine/config/isolation/plugin_isolation.h"
#include "engine/config/profiles/placement.h"
#include "engine/config/rules/scheduler_rules.h"
#include "engine/config/service_settings.h"
#include "engine/config/versions/version.h"
#include "engine/document/document.h"

namespace berth::config {

// One entry of an `enabled` or `disabled` list.
struct PluginRef {
  std::string name;           // in `disabled`, "*" means all plugins
  int32_t weight = 0;         // 0: not set; may be negative, as in kube-scheduler
  bool from_default = false;  // added by a default, not by the configuration
  // With its path, profiles[0].plugins.score.enabled[2]; empty if from_default.
  Place place;
};

// In order. A name may occur twice; expand() reports it where that is an error.
struct PluginSet {
  std::vector<PluginRef> enabled;
  std::vector<PluginRef> disabled;
};

// One entry of `pluginConfig`. Only the plugin knows which members `args` may have: here only its
// `apiVersion` and `kind` are checked, for default plugins that take arguments.
struct PluginArgs {
  std::string name;
  document::Value args;  // absent or null: the plugin's defaults
  Place place;           // of the args; with their path, profiles[0].pluginConfig[1].args
};

struct Profile {
  std::string scheduler_name;  // unique and not empty; pods select a profile by it
  std::optional<int32_t> percentage_of_nodes_to_score;  // 0..100; unset: the configuration's
  // The default plugins merged with the configuration's; for v1beta2 empty.
  PluginSet multi_point;
  // Empty by default. For v1beta2 the default plugins merged with the
  // configuration's, as a complete list, which disables all others ("*").
  PerPoint<PluginSet> points;
  // By PlacementPoint. Those that kube-scheduler takes there and never calls are left out.
  std::array<PluginSet, kPlacementPoints.size()> placement;
  // Each name once; may include plugins that are not enabled.
  std::vector<PluginArgs> plugin_config;
  Place place;  // with its path, profiles[0]

  // The arguments configured for a plugin, valid as long as the profile; nullptr: the plugin's
  // defaults.
  const PluginArgs* args_of(std::string_view plugin) const;
};

struct Configuration {
  Version version = Version::kV1;            // of the file
  Rules rules;                               // by which it was read
  std::vector<Profile> profiles;             // at least one
  int32_t percentage_of_nodes_to_score = 0;  // 0..100; 0: kube-scheduler's adaptive percentage
  int64_t initial_backoff_seconds = 1;       // > 0
  int64_t max_backoff_seconds = 10;          // >= initial_backoff_seconds
  std::vector<Extender> extenders;           // in the order of the file
  PluginIsolation isolation;                 // of the file's document of that kind
  ServiceSettings service;                   // without effect where there is no API server

  // About the rules, for people: see ChosenRules.
  std::vector<std::string> notices;

  // Paths of fields that are valid and have no effect. First, in the order of the file, fields that
  // matter only with an API server (leaderElection.leaderElect, parallelism, ...), entries that
  // name no plugin, and fields that kube-scheduler drops when it converts an old version. Then the
  // other documents of the file. Then, with the plugin's name, the pluginConfig of plugins that are
  // not enabled, and entries of `isolation` for plugins that are not enabled.
  std::vector<std::string> without_effect;

  // For the scheduler of a real cluster: takes those settings from `without_effect` that such a
  // scheduler heeds, which are those of leaderElection and clientConnection.
  void heed_service_settings();

  document::Document document;           // owns the values in `args`; empty for defaults()
  document::Value source;                // the configuration as it was read; absent for defaults()
  std::vector<document::Document> made;  // own the values in `args` that replace others

  // The percentage that applies to a profile: its own, or else the configuration's.
  int32_t percentage_for(const Profile& profile) const;
};

// All errors of a configuration in file order (at most a hundred, and the number of the others). A
// single error is also the message and the place of this exception; several are one per line.
class InvalidConfiguration : public Error {
 public:
  explicit InvalidConfiguration(std::vector<Error> faults);

  const std::vector<Error>& faults() const { return faults_; }  // at least one

 private:
  std::vector<Error> faults_;
};

// The rules decide which arguments and points are allowed, and the defaults.

// The documents of a YAML or JSON file ("-": standard input). If none of them is a configuration, a
// PluginIsolation or a SchedulerRules, and one value in the `data` of their ConfigMaps holds one,
// the documents of that value, with its key in the name of the file: "FILE[data.KEY]". Their lines
// are those of the value. Faults are reported. Throws Error if the file cannot be read, or if
// several values hold one.
document::Document read_documents(const std::string& path, Diagnostics& diagnostics);

// True if the document says that it is a KubeSchedulerConfiguration, of whatever version.
bool is_configuration(document::Value root);

// The configuration of kube-scheduler without a file; of an old version, with that version's
// plugins and weights. Throws InvalidConfiguration for gates that need v1.
Configuration defaults(Version version = Version::kV1, const Rules& rules = Rules());

// Reads a file by read_documents(). Of several documents exactly one is of kind
// KubeSchedulerConfiguration, and at most one each of the kinds PluginIsolation and SchedulerRules;
// the others are named in `without_effect`. `options` win over the SchedulerRules. Throws Error if
// the file cannot be read or has none or several configurations, and for options that cannot be
// set; InvalidConfiguration for errors in these documents, including syntax errors.
Configuration load(const std::string& path, const RulesChoice& options = {});

// load(), or defaults() for an empty path: what the option --config of a program means.
Configuration load_or_defaults(const std::string& path, const RulesChoice& options);

// The PluginIsolation of such a file alone; its configuration, if it has one, is not read. Throws
// Error if the file cannot be read or has no document of that kind, and InvalidConfiguration for
// faults of that document and for syntax errors.
PluginIsolation load_isolation(const std::string& path);

// The same as load() from a text; `name` is its name in messages.
Configuration parse(std::string_view text, const std::string& name,
                    const RulesChoice& options = {});

// The same from a value of a parsed document, such as the `config` of a conformance case. `root`
// belongs to `document`; paths in messages start at `root`. Throws InvalidConfiguration.
Configuration from_value(document::Document document, document::Value root,
                         const Rules& rules = Rules());

// A configuration with all its faults.
struct Checked {
  // Nothing if version or kind are wrong. With faults, what could be read and is valid.
  std::optional<Configuration> configuration;
  std::vector<Error> faults;  // in the order of the file, at most one for each place
};

// The same as from_value(), for callers that want all faults of a file and go on.
Checked check(document::Document document, document::Value root, const Rules& rules = Rules());

}  // namespace berth::config
