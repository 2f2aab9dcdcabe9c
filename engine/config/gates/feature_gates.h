#pragma once

// kube-scheduler's feature gates (--feature-gates). Those that change what Berth does are rules
// (base/rules/rules.h).

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/rules/rules.h"

namespace berth::config {

// Gates by name, as they are set.
using GateValues = std::map<std::string, bool, std::less<>>;

// The gates that an option sets.
struct GateSettings {
  Rules rules;
  // Gates that were set and make no difference here, each with the reason, as one sentence without
  // a full stop. A gate that is set to what it is by default and here is not among them.
  std::vector<std::string> notices;
};

// Reads "Name=true,Other=false" as kube-scheduler does: blanks around names and values, values as
// Go's strconv.ParseBool takes them, and "kube:" in front of a name are allowed. Throws Error for a
// value that is no boolean, and for a gate that is set to both values.
GateValues parse_gates(std::string_view text);

// The default rules of the version with these gates. Throws Error
// - for what kube-scheduler refuses: a name that it does not know, a locked gate that is set to
//   another value than its own;
// - for a gate that kube-scheduler reads, set to a value that Berth has not built;
// - for AllAlpha and AllBeta, unless AllAlpha is false.
GateSettings set_gates(const GateValues& gates, KubeVersion version);

// Both.
GateSettings read_feature_gates(std::string_view text, KubeVersion version);

// For workloads of kube-scheduler's benchmarks, of any version: true if Berth with the default
// gates of `version` decides about their new pods as kube-scheduler does with this gate. False for
// gates that are not known.
bool is_as_by_default(std::string_view gate, bool value, KubeVersion version);

// The gates that differ from the version's defaults, as read_feature_gates() takes them, by name.
// Empty: none.
std::string gates_text(const Rules& rules);

}  // namespace berth::config
