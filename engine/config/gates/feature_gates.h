#pragma once

// kube-scheduler's feature gates (--feature-gates), as v1.34.1 knows them.

#include <string>
#include <string_view>
#include <vector>

namespace berth::config {

// The gates that change what Berth does, with their defaults.
struct FeatureGates {
  bool storage_capacity_scoring = false;  // StorageCapacityScoring: nodes score by their storage
  // SchedulerPopFromBackoffQ: a pod that backs off is tried early when no other pod is active.
  bool pop_from_backoff = true;

  bool operator==(const FeatureGates&) const = default;
};

// kube-scheduler's name of a gate.
std::string_view gate_name(bool FeatureGates::*gate);

// What an option sets.
struct GateSettings {
  FeatureGates gates;
  // Gates that were set and make no difference here, each with the reason, as one sentence without
  // a full stop. A gate that is set to what it is by default and here is not among them.
  std::vector<std::string> notices;
};

// Reads "Name=true,Other=false" as kube-scheduler does: blanks around names and values, values as
// Go's strconv.ParseBool takes them, and "kube:" in front of a name are allowed. Throws Error
// - for what kube-scheduler refuses: a name that it does not know, a value that is no boolean, a
//   locked gate that is set to another value than its own;
// - for a gate that kube-scheduler reads, set to a value that Berth has not built;
// - for AllAlpha and AllBeta, unless AllAlpha is false;
// - for a gate that is set to both values.
GateSettings read_feature_gates(std::string_view text);

// For workloads of kube-scheduler's benchmarks, of any version: true if Berth with its default
// gates decides about their new pods as kube-scheduler does with this gate. False for gates that
// are not known.
bool is_as_by_default(std::string_view gate, bool value);

// The gates that differ from their defaults, as read_feature_gates() takes them, by name. Empty:
// none.
std::string to_text(const FeatureGates& gates);

}  // namespace berth::config
