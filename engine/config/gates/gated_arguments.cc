#include "engine/config/gates/gated_arguments.h"

#include <algorithm>
#include <string>

#include "engine/base/assert.h"
#include "engine/config/effective.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/config/read/node.h"

namespace berth::config {
namespace {

using document::Kind;
using document::Value;

// True if the value stands for the default.
bool is_unset(Value value, const GatedArgument& argument) {
  const bool empty_list = value.is(Kind::kArray) && value.size() == 0;
  return !value.set() || (empty_list && argument.json.starts_with('['));
}

std::string forbidden_text(const GatedArgument& argument) {
  const RuleInfo& rule = info_of(argument.rule);
  if (!rule.gate)
    return "strict decoding error: unknown field " + quoted(argument.name) +
           ", which later versions of kube-scheduler have (--kube-version)";
  return "unexpected field `" + std::string(argument.name) +
         "`, remove it or turn on the feature gate " + std::string(rule.name);
}

void forbid(const Configuration& configuration, const GatedArgument& argument, Faults& faults) {
  for (const Profile& profile : configuration.profiles)
    for (const PluginArgs& entry : profile.plugin_config) {
      const Value value = entry.args.find(argument.name);
      if (entry.name != argument.plugin || !value.set()) continue;
      faults.add(Node{entry.args, entry.place.field}.member(value, argument.name).place(),
                 forbidden_text(argument));
    }
}

// The members of a JSON object without its braces, with a comma behind them if there are some.
std::string members_of(std::string_view object) {
  const std::string inner(object.substr(1, object.size() - 2));
  return inner.empty() ? inner : inner + ",";
}

// The arguments with the default of the gated one.
std::string with_default(const PluginArgs& entry, const GatedArgument& argument) {
  std::string json = "{";
  if (entry.args.set()) {
    for (const document::Member member : entry.args.members())
      if (member.key != argument.name)
        json += document::to_json(member.key_value) + ":" + document::to_json(member.value) + ",";
  } else {
    json += R"("apiVersion":")" + std::string(api_version(Version::kV1)) + R"(","kind":")" +
            entry.name + R"(Args",)" + members_of(*default_args(entry.name));
  }
  return json + "\"" + std::string(argument.name) + "\":" + std::string(argument.json) + "}";
}

void add_to(Profile& profile, const GatedArgument& argument, Configuration& configuration) {
  const std::vector<std::string> enabled = enabled_plugins(profile);
  if (std::ranges::find(enabled, argument.plugin) == enabled.end()) return;
  auto entry = std::ranges::find(profile.plugin_config, argument.plugin, &PluginArgs::name);
  if (entry == profile.plugin_config.end()) {
    entry = profile.plugin_config.insert(entry, {std::string(argument.plugin), {}, {}});
    entry->place.field = profile.place.field + ".pluginConfig[" + entry->name + "].args";
  }
  if (!is_unset(entry->args.find(argument.name), argument)) return;
  Diagnostics diagnostics;
  document::Document made = document::Document::parse(
      with_default(*entry, argument), std::string(info_of(argument.rule).name), diagnostics);
  BERTH_ASSERT(diagnostics.count() == 0);
  entry->args = made.roots().front();
  configuration.made.push_back(std::move(made));
}

}  // namespace

void validate_gates(const Configuration& configuration, Value root, Faults& faults) {
  for (const GatedArgument& argument : gated_arguments()) {
    if (!configuration.rules.has(argument.rule)) {
      forbid(configuration, argument, faults);
    } else if (info_of(argument.rule).gate && configuration.version != Version::kV1) {
      faults.add(root.present() ? place_at(root, "apiVersion") : Place{},
                 "no kube-scheduler that reads " +
                     std::string(version_name(configuration.version)) + " has the feature gate " +
                     std::string(info_of(argument.rule).name) +
                     "; convert the configuration to v1 (berth config convert)");
    }
  }
}

void add_gated_arguments(Configuration& configuration) {
  if (configuration.version != Version::kV1) return;
  for (const GatedArgument& argument : gated_arguments())
    if (configuration.rules.has(argument.rule))
      for (Profile& profile : configuration.profiles) add_to(profile, argument, configuration);
}

}  // namespace berth::config
