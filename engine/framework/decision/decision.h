#pragma once

// The input and the result of a decision.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/framework/decision/diagnosis.h"
#include "engine/framework/decision/point_watch.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/host/instance/services/trial_services.h"
#include "engine/host/run/moment.h"

namespace berth::model {
class Cluster;
}

namespace berth::framework {

class Batch;
class DecisionWatch;
class Extenders;

// The rule that chooses among several rows with the best total.
enum class TieBreak : uint8_t {
  kRandom,  // a random draw, as in kube-scheduler's selectHost up to 1.34
  kName,    // the first by node name
  // As in 1.36: a random draw among the rows that an extender scored; if there are none, the row
  // that a heap over the feasible rows gives out first (evaluation/scores/heap_winner.h).
  kHeap,
};

struct DecideOptions {
  Extenders* extenders = nullptr;  // outlive the decider; null: there are none
  uint64_t seed = 0;               // of the draws
  TieBreak tie_break = TieBreak::kRandom;
  // percentageOfNodesToScore: the share of the nodes, in percent, that ends a search once so many
  // are feasible; 0: by the number of nodes (nodes_to_find). The first of these that is set counts:
  // forced_percentage, the profile's own, this one.
  int32_t percentage_of_nodes_to_score = 0;
  std::optional<int32_t> forced_percentage{};
  // A refusal in a profile without PostFilter plugins ends the pod's nomination. False: it stays.
  bool clears_without_post_filter = false;
  bool every_node = false;         // searches all nodes, whatever the percentage and without scores
  DecisionWatch* watch = nullptr;  // outlives the decider; null: nobody watches
  host::Moment* moment = nullptr;  // learns of each attempt; outlives the decider; may be null
  bool collects = true;            // drops template states of profiles that were not used for long
};

// The means of PostFilter plugins. All of it outlives the decider.
struct PostFilterOptions {
  Workers* workers = nullptr;      // null: the deciding thread works alone
  host::Trials* trials = nullptr;  // where the plugins' services look; null: they are not offered
};

// One pod to decide about.
struct Request {
  const model::PodRecord* pod = nullptr;  // must stay valid until the next decision
  uint32_t attempt = 0;                   // decisions made about the pod before
  uint32_t start = 0;                     // row at which the search begins
  // Serves the pod (batch.h), so that its next node may be tried first; null: none does. The
  // decision does not change what it serves.
  Batch* batch = nullptr;
  // Why there is no batch; nothing: pods take part in none, by the rules.
  std::optional<BatchMiss> batch_miss{};
  bool keeps_scores = false;  // Decider::scored_rows() are asked for
};

// A row that a decision scored.
struct ScoredRow {
  model::Row row = 0;
  int64_t total = 0;
};

// kScheduled: `row` is the pod's node. kUnschedulable: no node can run the pod now; `message` and
// the reasons say why. kError: a plugin failed; `message` is its text.
enum class Outcome : uint8_t { kScheduled, kUnschedulable, kError };

// The plugins that keep a pod from being scheduled: an event can help the pod only if it can help
// one of them. Names, each once, in order.
struct Refusers {
  std::vector<std::string> plugins;
  std::vector<std::string> pending;  // those that answered PENDING: no backoff once helped

  bool empty() const { return plugins.empty() && pending.empty(); }
  void add(const std::string& plugin, uint8_t code);
  void clear() {
    plugins.clear();
    pending.clear();
  }
};

// The change of status.nominatedNodeName of a pod that is not scheduled. The runtime carries it
// out: Scheduler and PodWrites.
enum class Nominating : uint8_t {
  kKeep,   // it stays as it is
  kClear,  // the pod has none from now on
  kSet,    // it is the node that a PostFilter plugin nominates
};

// The outcome of the PostFilter plugins for a pod that no row can run. Somebody else carries it
// out: the decision changes nothing.
struct PostFilterResult {
  struct Text {
    std::string plugin;
    std::string text;
  };

  std::string plugin;                 // that nominated; empty: none did
  model::Row row = model::kNoRow;     // nominated
  std::vector<model::PodId> victims;  // pods of that row to evict, in this order
  std::vector<Text> texts;            // of plugins that did not help, in order; of kSet none

  std::string joined_texts() const;  // "TEXT, TEXT"
};

struct Decision {
  Outcome outcome = Outcome::kError;
  model::Row row = model::kNoRow;  // of a scheduled pod
  uint32_t evaluated = 0;          // nodes that were filtered, as kube-scheduler counts them
  uint32_t feasible = 0;
  uint32_t next_start = 0;                      // where the search for the next pod begins
  uint64_t draw = 0;                            // 0: none was made
  model::StringId hint = 0;                     // the name of the batch's next node; 0: none
  std::string message;                          // why the pod is not scheduled; see event()
  std::optional<PreFilterRefusal> pre_filter;   // of a pod that PreFilter turned away
  ReasonCounts reasons;                         // of an unschedulable pod that passed PreFilter
  Refusers refused_by;                          // of an unschedulable pod; nobody: no nodes
  bool scored = false;                          // Decider::scores() are of this decision
  Nominating nominating = Nominating::kKeep;    // of a pod that is not scheduled
  std::optional<PostFilterResult> post_filter;  // absent: no plugin was asked

  // Makes it the decision that nothing is known of. Keeps the memory of texts and lists.
  void begin(uint32_t start);
  // The whole text of the event of a pod that is not scheduled: the message, and what PostFilter
  // plugins add to it.
  std::string event() const;
};

// True if the pod has the node that a batch named for it: nothing was searched or scored.
bool from_batch(const model::Cluster& cluster, const Decision& decision);

}  // namespace berth::framework
