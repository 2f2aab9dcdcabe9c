#include "engine/config/gates/feature_gates.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text/suggestion.h"
#include "engine/config/gates/known_gates.h"
#include "engine/config/read/faults.h"

namespace berth::config {
namespace {

// Gates that move work of kube-scheduler to the background. Berth has no such work.
constexpr std::string_view kBackground[] = {"SchedulerAsyncAPICalls", "SchedulerAsyncPreemption"};

// Gates that do not change decisions about the new pods of workloads, on or off: hints only save
// attempts, what was resized stands in the status of pods that run, and extended resources are
// treated otherwise only where a DeviceClass offers them, which no workload has. `set` refuses the
// last two, because pods that run and clusters with such classes are treated otherwise.
constexpr std::string_view kSameForNewPods[] = {"SchedulerQueueingHints",
                                                "InPlacePodVerticalScaling", "DRAExtendedResource"};

// Gates that v1.34 does not know.
constexpr std::string_view kLater[] = {"NodeDeclaredFeatures", "OpportunisticBatching"};

constexpr std::string_view kAllAlpha = "AllAlpha", kAllBeta = "AllBeta";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// As strconv.ParseBool.
std::optional<bool> boolean(std::string_view text) {
  constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != std::end(kTrue)) return true;
  if (std::ranges::find(kFalse, text) != std::end(kFalse)) return false;
  return std::nullopt;
}

std::string word(bool value) { return value ? "true" : "false"; }

std::string setting(std::string_view gate, bool value) {
  return std::string(gate) + "=" + word(value);
}

std::string unknown(std::string_view name, KubeVersion version) {
  const std::string near = nearest_word(name, known_gate_names(version));
  return "unrecognized feature gate: " + quoted(name) + " is none of kube-scheduler " +
         std::string(release_of(version)) + (near.empty() ? "" : "; did you mean " + near + "?");
}

// One "Name=value".
std::pair<std::string_view, bool> read_one(std::string_view text) {
  const size_t equals = text.find('=');
  std::string_view name = trimmed(text.substr(0, equals));
  constexpr std::string_view kComponent = "kube:";
  if (name.starts_with(kComponent)) name.remove_prefix(kComponent.size());
  if (equals == std::string_view::npos)
    throw Error("missing bool value for " + quoted(name) + "; expected " + quoted("NAME=true") +
                " or " + quoted("NAME=false"));
  const std::string_view value = trimmed(text.substr(equals + 1));
  const std::optional<bool> parsed = boolean(value);
  if (!parsed)
    throw Error("invalid value of " + quoted(name) + ": expected true or false, found " +
                quoted(value));
  return {name, *parsed};
}

void set(std::string_view name, bool value, GateSettings& settings) {
  const KubeVersion version = settings.rules.version();
  if (name == kAllAlpha && !value) return;  // no such gate is on by default
  if (name == kAllAlpha || name == kAllBeta)
    throw Error("feature gate " + std::string(name) +
                " sets many gates at once, of which Berth has not built all; name those that you "
                "want to set");
  const std::optional<KnownGate> known = known_gate(name, version);
  if (!known) throw Error(unknown(name, version));
  if (known->locked && value != known->enabled)
    throw Error("cannot set feature gate " + std::string(name) + " to " + word(value) +
                ", feature is locked to " + word(known->enabled));
  const RuleInfo* rule = find_rule(name);
  if (rule != nullptr && rule->gate && rule->built_in(version)) {
    settings.rules.set(rule->rule, value);
  } else if (std::ranges::find(kBackground, name) != std::end(kBackground)) {
    if (value)
      settings.notices.push_back("feature gate " + setting(name, value) +
                                 " makes no difference: what an attempt writes is written when the "
                                 "attempt is over, as with the gate off");
  } else if (value != known->enabled && is_read_by_scheduler(name, version)) {
    throw Error("cannot set feature gate " + std::string(name) + " to " + word(value) +
                ": Berth has built only " + setting(name, known->enabled) +
                ", the default; leave the gate out");
  } else if (value != known->enabled) {
    settings.notices.push_back("feature gate " + setting(name, value) +
                               " makes no difference: kube-scheduler does not read it, and pods "
                               "and nodes are admitted as with the default gates");
  }
}

}  // namespace

bool is_as_by_default(std::string_view gate, bool value, KubeVersion version) {
  const auto among = [&](const auto& names) {
    return std::ranges::find(names, gate) != std::end(names);
  };
  if (among(kBackground) || among(kSameForNewPods)) return true;
  if (version == KubeVersion::k1_34 && among(kLater)) return !value;
  const std::optional<KnownGate> known = known_gate(gate, version);
  return known && (value == known->enabled || !is_read_by_scheduler(gate, version));
}

GateValues parse_gates(std::string_view text) {
  GateValues all;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (one.empty()) continue;
    const auto [name, value] = read_one(one);
    if (const auto at = all.emplace(name, value).first; at->second != value)
      throw Error("feature gate " + quoted(name) + " is set to both true and false");
  }
  return all;
}

GateSettings set_gates(const GateValues& gates, KubeVersion version) {
  GateSettings settings{Rules(version), {}};
  for (const auto& [name, value] : gates) set(name, value, settings);
  return settings;
}

GateSettings read_feature_gates(std::string_view text, KubeVersion version) {
  return set_gates(parse_gates(text), version);
}

std::string gates_text(const Rules& rules) {
  std::vector<std::string> all;
  for (const RuleInfo& info : all_rules())
    if (info.gate && rules.has(info.rule) != info.in(rules.version()))
      all.push_back(setting(info.name, rules.has(info.rule)));
  std::ranges::sort(all);
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ",") + one;
  return text;
}

}  // namespace berth::config
