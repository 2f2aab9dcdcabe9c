#pragma once

// SchedulerRules (apiVersion berth/v1): the version of kube-scheduler whose rules decide, and its
// feature gates. It is a document of its own beside the KubeSchedulerConfiguration of a file:
//
//   apiVersion: berth/v1
//   kind: SchedulerRules
//   kubeVersion: "1.36"
//   featureGates:
//     OpportunisticBatching: false
//
// The options --kube-version and --feature-gates say the same and win over it
// (engine/startup/rules_options.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/rules/rules.h"
#include "engine/config/gates/feature_gates.h"
#include "engine/document/document.h"

namespace berth::config {

inline constexpr std::string_view kRulesKind = "SchedulerRules";

// Such a document. What it does not set is as by default.
struct SchedulerRules {
  struct Gate {
    std::string name;
    bool value = false;
    Place place = {};  // featureGates.NAME
  };

  std::optional<KubeVersion> version;
  Place version_place;      // kubeVersion
  std::vector<Gate> gates;  // in the order of the file, each name once
};

// The rules that the options of a program set. All others are as the file says, or by default.
struct RulesChoice {
  RulesChoice() = default;
  RulesChoice(
      const Rules& rules);  // NOLINT(google-explicit-constructor): these, whatever a file says

  std::optional<KubeVersion> version;
  GateValues gates;
};

// The rules of a run.
struct ChosenRules {
  Rules rules;
  // For people: where an option contradicts the file, and gates that make no difference here. Each
  // a sentence without a full stop.
  std::vector<std::string> notices;
  std::vector<Error> faults;  // gates of the file that cannot be set, which are left out
};

// True if the document is a SchedulerRules, by its kind.
bool is_scheduler_rules(document::Value root);

struct CheckedRules {
  SchedulerRules rules;       // with faults, what could be read and is valid
  std::vector<Error> faults;  // in the order of the file
};

// Reads a document as strictly as the configuration is read.
CheckedRules check_scheduler_rules(document::Value root);

// The SchedulerRules among the documents of a file. A second one is a fault.
CheckedRules scheduler_rules_in(const document::Document& document);

// Throws UsageError for gates of the options that cannot be set in the version.
ChosenRules choose_rules(const SchedulerRules& of_file, const RulesChoice& options);

}  // namespace berth::config
