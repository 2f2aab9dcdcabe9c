#include "engine/config/rules/scheduler_rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/config/read/berth_document.h"
#include "engine/config/read/node.h"

namespace berth::config {
namespace {

using document::Value;

std::string supported_versions() {
  std::string texts;
  for (const KubeVersion version : kube_versions())
    texts += (texts.empty() ? "" : ", ") + quoted(version_text(version));
  return texts;
}

class RulesReader {
 public:
  explicit RulesReader(Faults& faults) : faults_(faults), reader_(faults) {}

  SchedulerRules run(Value root) {
    if (!expect_type(root, kRulesKind, faults_)) return {};
    const auto read_already = [](const Node&) {};
    reader_.object({.value = root, .path = ""},
                   {{"apiVersion", read_already},
                    {"kind", read_already},
                    {"kubeVersion", [&](const Node& node) { version(node); }},
                    {"featureGates", [&](const Node& node) { gates(node); }}});
    return std::move(rules_);
  }

 private:
  void version(const Node& node) {
    const std::optional<std::string> text = reader_.string(node);
    if (!text) return;
    rules_.version = kube_version_named(*text);
    rules_.version_place = node.place();
    if (!rules_.version)
      faults_.add(node.place(), "Unsupported value: " + quoted(*text) +
                                    ": supported values: " + supported_versions());
  }

  void gates(const Node& node) {
    std::vector<Field> fields;
    for (const document::Member& member : node.value.members())
      fields.push_back({member.key, [&](const Node& gate) { add_gate(gate); }});
    reader_.object(node, fields);
  }

  void add_gate(const Node& node) {
    constexpr std::string_view kMap = "featureGates.";
    const std::optional<bool> value = reader_.boolean(node);
    if (value) rules_.gates.push_back({node.path.substr(kMap.size()), *value, node.place()});
  }

  Faults& faults_;
  Reader reader_;
  SchedulerRules rules_;
};

// Which of the options' and the file's versions holds.
KubeVersion version_of_both(const SchedulerRules& of_file, const RulesChoice& options,
                            std::vector<std::string>& notices) {
  if (options.version && of_file.version && *options.version != *of_file.version)
    notices.push_back("--kube-version " + std::string(version_text(*options.version)) +
                      " holds, and not " + std::string(version_text(*of_file.version)) + " of " +
                      of_file.version_place.to_string());
  if (options.version) return *options.version;
  return of_file.version.value_or(kDefaultKubeVersion);
}

// The gate of the file that an option sets. True: it does.
bool is_overridden(const SchedulerRules::Gate& gate, const GateValues& options,
                   std::vector<std::string>& notices) {
  const auto option = options.find(gate.name);
  if (option == options.end()) return false;
  if (option->second != gate.value)
    notices.push_back("--feature-gates " + gate.name + "=" + (option->second ? "true" : "false") +
                      " holds, and not " + (gate.value ? "true" : "false") + " of " +
                      gate.place.to_string());
  return true;
}

}  // namespace

RulesChoice::RulesChoice(const Rules& rules) : version(rules.version()) {
  for (const RuleInfo& info : all_rules())
    if (info.gate && info.built_in(rules.version())) gates.emplace(info.name, rules.has(info.rule));
}

bool is_scheduler_rules(Value root) { return root.find("kind").text() == kRulesKind; }

CheckedRules check_scheduler_rules(Value root) {
  Faults faults;
  CheckedRules checked;
  checked.rules = RulesReader(faults).run(root);
  checked.faults = faults.take();
  return checked;
}

CheckedRules scheduler_rules_in(const document::Document& document) {
  CheckedRules checked;
  std::optional<uint32_t> first;  // its line
  for (const Value root : document.roots()) {
    if (!is_scheduler_rules(root)) continue;
    CheckedRules one = check_scheduler_rules(root);
    if (!first) {
      checked.rules = std::move(one.rules);
      first = root.position().line;
    } else {
      one.faults.insert(one.faults.begin(), second_of_kind(root, kRulesKind, *first));
    }
    std::ranges::move(one.faults, std::back_inserter(checked.faults));
  }
  return checked;
}

ChosenRules choose_rules(const SchedulerRules& of_file, const RulesChoice& options) {
  ChosenRules chosen;
  const KubeVersion version = version_of_both(of_file, options, chosen.notices);
  GateValues gates = options.gates;
  for (const SchedulerRules::Gate& gate : of_file.gates) {
    if (is_overridden(gate, options.gates, chosen.notices)) continue;
    try {
      set_gates({{gate.name, gate.value}}, version);
      gates.emplace(gate.name, gate.value);
    } catch (const Error& error) {
      chosen.faults.emplace_back(gate.place, error.message());
    }
  }
  GateSettings settings;
  try {
    settings = set_gates(gates, version);
  } catch (const Error& error) {
    throw UsageError(error);  // those of the file are taken one by one
  }
  chosen.rules = settings.rules;
  std::ranges::move(settings.notices, std::back_inserter(chosen.notices));
  return chosen;
}

}  // namespace berth::config
