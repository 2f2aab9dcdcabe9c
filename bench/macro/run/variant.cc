#include "bench/macro/run/variant.h"

#include <fmt/format.h>

#include "engine/config/gates/settable.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_folders.h"
#include "engine/startup/plugin_options.h"

namespace berth::bench {
namespace {

constexpr std::string_view kDefault = startup::kDefaultFolders;  // of configurations, too

// Replaces each variant by one per value. If there are several values, the label names them.
template <typename Value, typename Apply>
void multiply(std::vector<Variant>& made, const std::vector<Value>& values, const Apply& apply) {
  if (values.empty()) return;
  std::vector<Variant> more;
  for (const Variant& variant : made)
    for (const Value& value : values) {
      Variant one = variant;
      const std::string word = apply(one, value);
      if (values.size() > 1) one.label += (one.label.empty() ? "" : ", ") + word;
      more.push_back(std::move(one));
    }
  made = std::move(more);
}

// Variant::plugins for a list of folders. Equal folders have equal values.
std::vector<std::string> plugin_folders_of(const std::string& list, bool with_defaults) {
  std::vector<std::string> folders = startup::folders_in(list);
  const bool defaults = std::erase(folders, kDefault) > 0 || with_defaults;
  if (defaults && !folders.empty()) folders.emplace_back(kDefault);
  return folders;
}

}  // namespace

config::Configuration configuration_of(const Variant& variant, const loadgen::Workload& workload) {
  config::RulesChoice rules = variant.rules;
  const KubeVersion version = rules.version.value_or(kDefaultKubeVersion);
  for (const auto& [gate, enabled] : workload.feature_gates)
    if (config::can_set(gate, enabled, version)) rules.gates.try_emplace(gate, enabled);
  config::Configuration configuration = config::load_or_defaults(
      variant.config.empty() ? workload.scheduler_config : variant.config, rules);
  edit(configuration, variant.edits);
  return configuration;
}

runtime::Plugins plugins_of(const Variant& variant, const config::Configuration& configuration) {
  startup::PluginOptions folders{variant.plugins, variant.plugins.empty()};
  folders.isolation = variant.isolation;
  folders.call_limit = variant.call_limit;
  return folders.discover(configuration.isolation);
}

std::vector<Variant> variants(const Variant& base, const Comparison& lists) {
  std::vector<Variant> made = {base};
  multiply(made, lists.configs, [](Variant& variant, const std::string& config) {
    variant.config = config == kDefault ? "" : config;
    return config;
  });
  multiply(made, lists.plugins, [&](Variant& variant, const std::string& folders) {
    variant.plugins = plugin_folders_of(folders, lists.default_plugins);
    return folders == kDefault ? "default plugins" : folders;
  });
  for (const auto& entry : lists.parameters) {
    const std::string& name = entry.first;
    multiply(made, entry.second, [&](Variant& variant, const std::string& value) {
      variant.parameters[name] = value;
      return name + "=" + value;
    });
  }
  multiply(made, lists.percentages, [](Variant& variant, int32_t percentage) {
    variant.percentage = percentage;
    return percentage == 0 ? std::string("default %") : fmt::format("{} %", percentage);
  });
  multiply(made, lists.evaluations, [](Variant& variant, framework::Evaluation evaluation) {
    variant.evaluation = evaluation;
    return std::string(startup::evaluation_name(evaluation));
  });
  multiply(made, lists.threads, [](Variant& variant, int threads) {
    variant.threads = threads;
    return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  });
  return made;
}

}  // namespace berth::bench
