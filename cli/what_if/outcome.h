#pragma once

// The outcome of a what-if: two runs of one input, before (without the script) and after.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/diff/difference.h"
#include "cli/what_if/pod_ledger.h"
#include "cli/what_if/script.h"
#include "engine/output/pod_result.h"

namespace berth::cli {

enum class Fate : uint8_t {
  kMoved,       // another pod of its controller, or of its name, runs in its place
  kStarted,     // it runs, and nothing ran in its place before
  kPending,     // the pod in its place waits for a node
  kGone,        // there is nothing in its place
  kScaledDown,  // a step asks for fewer pods
  kNodeGone,    // of a DaemonSet: its node is not there any more
  kFinished,    // its containers ended by themselves
  kWaits        // it is new and waits for a node
};
std::string_view fate_name(Fate fate);  // "moved"; for programs
std::string_view fate_text(Fate fate);  // "run elsewhere now"; of several pods, for people
// True if a pod that ran does not run any more, and should.
constexpr bool is_worse(Fate fate) { return fate == Fate::kPending || fate == Fate::kGone; }

// The fate of one pod.
struct PodChange {
  std::string pod;    // namespace/name; the former pod, if there is one
  std::string owner;  // for people: "Deployment default/web"; empty: none
  Fate fate = Fate::kMoved;
  std::string from_node, from_zone;
  std::string other;  // the pod in its place; empty: none, or of the same name
  std::string to_node, to_zone;
  std::string reason;         // why it left its node
  std::string because;        // for people; may be empty
  std::string message;        // why the pod in its place waits
  std::optional<Time> at;     // when it left
  std::optional<Time> bound;  // when the pod in its place was bound
};

// One step as it was made.
struct StepOutcome {
  std::string text;
  Time at{};
  std::vector<std::string> nodes;
  uint64_t pods = 0;                       // on these nodes at that time
  std::map<std::string, uint64_t> lost{};  // pods that left because of it, by the reason
};

// A text with which a budget refused evictions, and the pods for which it did.
struct BudgetRefusal {
  std::string text;
  std::vector<std::string> pods;  // namespace/name, each once
};

struct WhatIf {
  PerSide<std::vector<PodState>> pods;
  PerSide<std::map<std::string, uint64_t>> zones;  // pods that run, by zone
  PerSide<Time> ended{};                           // when the run stood still
  std::vector<StepOutcome> steps;
  uint64_t lost_otherwise = 0;  // pods that left for another reason than a step, such as preemption
  std::vector<PodChange> changes;  // by pod
  std::vector<output::DrainResult> drains;
  std::vector<BudgetRefusal> refusals;
  // Summaries and spreads of both, for the tables of berth diff.
  Difference runs;
  bool partial = false;  // the run with the script was interrupted

  uint64_t count(Fate fate) const;
  uint64_t worse() const { return count(Fate::kPending) + count(Fate::kGone); }
  uint64_t lost() const;
  // Drains at whose end pods are left that were to go.
  uint64_t drains_undone() const;
  // When the last pod was bound that runs in the place of another one; nothing: none does.
  std::optional<Time> last_bound() const;
};

// The facts of the second run that compare_pods() needs.
struct RunOfScript {
  const std::vector<PodLoss>& losses;
  const std::set<std::string>& finished;
  const std::set<std::string>& nodes;               // at its end
  const std::map<std::string, uint64_t>& replicas;  // that steps ask for, by PodState::owner
  const std::set<std::string>& removed;             // pods that steps delete
};

// Pairs the pods of both runs that stand for each other.
std::vector<PodChange> compare_pods(const PerSide<std::vector<PodState>>& pods,
                                    const RunOfScript& run);

// Pods that wait, by the reason.
std::map<std::string, uint64_t> pending_by_reason(const std::vector<PodState>& pods);
uint64_t count_of(const std::vector<PodState>& pods, PodState::Kind kind);

// `all`: every pod, node and reason.
std::string to_text(const WhatIf& answer, bool all);
std::string to_json(const WhatIf& answer);
// One HTML page that needs no network.
std::string to_page(const WhatIf& answer);

}  // namespace berth::cli
