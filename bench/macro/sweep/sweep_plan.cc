#include "bench/macro/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/macro/run/child.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/suggestion.h"
#include "engine/config/gates/feature_gates.h"
#include "engine/runtime/assembly.h"

namespace berth::bench {
namespace {

void check_parameters(const loadgen::Workload& workload, const Variant& variant) {
  std::vector<std::string> known;
  for (const auto& [name, value] : workload.parameters) known.push_back(name);
  for (const auto& [name, value] : variant.parameters) {
    const std::string meant = nearest_word(name, known);
    if (workload.parameters.contains(name) || meant.empty()) continue;
    throw UsageError(fmt::format("set:{}: {} has no such parameter; did you mean {}?",
                                 printable(name), printable(workload.name), printable(meant)));
  }
  if (workload.missing.empty()) workload.open({variant.seed, variant.parameters});
}

// The settings that tell configurations apart.
auto configuration_key(const Variant& variant) {
  return std::tuple(variant.config, variant.rules.version, variant.rules.gates,
                    variant.edits.weights, variant.edits.plugins);
}
using ConfigurationKey = decltype(configuration_key(Variant()));

// One run for each configuration.
std::vector<const PlannedRun*> by_configuration(const std::vector<PlannedRun>& runs) {
  std::set<ConfigurationKey> known;
  std::vector<const PlannedRun*> first;
  for (const PlannedRun& run : runs)
    if (known.insert(configuration_key(run.variant)).second) first.push_back(&run);
  return first;
}

bool scores(const std::vector<config::EffectiveProfile>& profiles, const std::string& plugin) {
  return std::ranges::any_of(profiles, [&](const config::EffectiveProfile& profile) {
    return std::ranges::any_of(profile.plugins[Point::kScore],
                               [&](const auto& at) { return at.name == plugin; });
  });
}

// A weight of 0 is checked as one: a plugin that never scores cannot stop to.
void check_configuration(const PlannedRun& run) {
  Variant variant = run.variant;
  for (auto& [plugin, weight] : variant.edits.weights) weight = std::max(weight, 1);
  config::Configuration configuration = configuration_of(variant, *run.workload);
  runtime::Plugins plugins = plugins_of(variant, configuration);
  const runtime::Findings found = runtime::inspect(configuration, plugins);
  if (!found.faults.empty())
    throw Error(printable(run.name()) + ": " + found.faults.front().what());
  for (const auto& [plugin, weight] : variant.edits.weights)
    if (!scores(found.effective, plugin))
      throw Error(fmt::format("weight:{}: this plugin does not score, so a weight has no effect",
                              printable(plugin)));
}

std::string chosen_version(const Variant& variant) {
  return variant.rules.version ? std::string(version_text(*variant.rules.version)) : "";
}

std::string chosen_gates(const Variant& variant) {
  std::vector<std::string> gates;
  for (const auto& [name, on] : variant.rules.gates)
    gates.push_back(fmt::format("{}={}", name, on));
  return fmt::format("{}", fmt::join(gates, ","));
}

// The files of configurations that the runs read, by what they hold.
std::string configurations_of(const loadgen::Workload& workload, const Variant& base,
                              const SettingsGrid& grid) {
  std::vector<std::string> files = {base.config.empty() ? workload.scheduler_config : base.config};
  for (const Axis& axis : grid.axes()) {
    if (axis.name != "config") continue;
    for (const std::string& value : axis.values) {
      Variant variant;
      apply(axis.name, value, variant);
      files.push_back(variant.config);
    }
  }
  return contents_of(files);
}

}  // namespace

std::vector<PlannedRun> planned_runs(const loadgen::Workload& workload, const Variant& base,
                                     const SettingsGrid& grid,
                                     const std::vector<uint64_t>& combinations) {
  std::vector<PlannedRun> runs;
  std::set<std::map<std::string, std::string>> parameters;
  for (const uint64_t combination : combinations) {
    runs.push_back(PlannedRun{&workload, grid.variant(combination, base)});
    const PlannedRun& run = runs.back();
    if (parameters.insert(run.variant.parameters).second) check_parameters(workload, run.variant);
  }
  for (const PlannedRun* run : by_configuration(runs)) configuration_of(run->variant, workload);
  return runs;
}

void check_configurations(const std::vector<PlannedRun>& runs) {
  Returned checked;
  checked.add([&] {
    for (const PlannedRun* run : by_configuration(runs)) check_configuration(*run);
    return std::string();
  });
}

SharedSettings shared_settings(const loadgen::Workload& workload, const Variant& base,
                               const SettingsGrid& grid) {
  SharedSettings shared;
  shared.load = {{"workload", workload.name}, {"files", contents_of(workload.files)}};
  for (const auto& [name, value] : base.parameters) shared.load["set " + name] = value;
  shared.options = {{"seed", std::to_string(base.seed)},
                    {"kube version", chosen_version(base)},
                    {"feature gates", chosen_gates(base)},
                    {"isolation", config::to_text(base.isolation.added_to({}))},
                    {"plugins", fmt::format("{}", fmt::join(base.plugins, ":"))},
                    {"configurations", configurations_of(workload, base, grid)}};
  return shared;
}

}  // namespace berth::bench
