#pragma once

// The input and the result of a decision.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/framework/decision/diagnosis.h"

namespace berth::framework {

// The rule that chooses among several rows with the best total: a random draw, as in
// kube-scheduler's selectHost, or the first by node name.
enum class TieBreak : uint8_t { kRandom, kName };

struct DecideOptions {
  uint64_t seed = 0;  // of the draws
  TieBreak tie_break = TieBreak::kRandom;
  // percentageOfNodesToScore: the share of the nodes, in percent, that ends a search once so many
  // are feasible; 0: by the number of nodes (nodes_to_find). The first of these that is set counts:
  // forced_percentage, the profile's own, this one.
  int32_t percentage_of_nodes_to_score = 0;
  std::optional<int32_t> forced_percentage{};
  bool every_node = false;  // searches all nodes, whatever the percentage and without scores
};

// One pod to decide about.
struct Request {
  const model::PodRecord* pod = nullptr;  // must stay valid until the next decision
  uint32_t attempt = 0;                   // decisions made about the pod before
  uint32_t start = 0;                     // row at which the search begins
};

// kScheduled: `row` is the pod's node. kUnschedulable: no node can run the pod now; `message` and
// the reasons say why. kError: a plugin failed; `message` is its text.
enum class Outcome : uint8_t { kScheduled, kUnschedulable, kError };

struct Decision {
  Outcome outcome = Outcome::kError;
  model::Row row = model::kNoRow;  // of a scheduled pod
  uint32_t evaluated = 0;          // nodes that were filtered, as kube-scheduler counts them
  uint32_t feasible = 0;
  uint32_t next_start = 0;  // where the search for the next pod begins
  uint64_t draw = 0;        // the random number of the tie-break; 0: none was needed
  std::string message;  // of a pod that is not scheduled: the text of the event FailedScheduling
  std::optional<PreFilterRefusal> pre_filter;  // of a pod that PreFilter refused
  ReasonCounts reasons;                        // of an unschedulable pod that passed PreFilter
  bool scored = false;                         // Decider::scores() belong to this decision
};

}  // namespace berth::framework
