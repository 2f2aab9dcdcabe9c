#pragma once

// One decision: where a pod goes, or why it cannot go anywhere. A function of the model as it
// stands, the profile, the pod, the start index and the draw; it changes none of them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/framework/decision/diagnosis.h"
#include "engine/framework/evaluation/best_rows.h"
#include "engine/framework/evaluation/row_filter.h"

namespace berth::framework {

enum class TieBreak : uint8_t { kRandom, kName };

struct DecideOptions {
  uint64_t seed = 0;
  TieBreak tie_break = TieBreak::kRandom;
  int32_t percentage_of_nodes_to_score = 0;  // of the configuration; a profile's own wins
  std::optional<int32_t> forced_percentage;  // wins over both
  bool every_node = false;  // searches all nodes, whatever the percentage and even to score none
};

struct Request {
  const model::PodRecord* pod = nullptr;  // valid until the next decision
  uint32_t attempt = 0;                   // decisions made about the pod before
  uint32_t start = 0;                     // row at which the search begins
};

enum class Outcome : uint8_t { kScheduled, kUnschedulable, kError };

struct Decision {
  Outcome outcome = Outcome::kError;
  model::Row row = model::kNoRow;
  uint32_t evaluated = 0;  // nodes that filters looked at, as kube-scheduler counts them
  uint32_t feasible = 0;
  uint32_t next_start = 0;
  uint64_t draw = 0;    // 0: none was made
  std::string message;  // of a pod that is not scheduled: the event's text
  std::optional<PreFilterRefusal> pre_filter;
  ReasonCounts reasons;  // of an unschedulable pod that passed PreFilter
  bool scored = false;   // scores() of the decider are of this decision
};

// How many feasible nodes a search looks for. Source: kube-scheduler schedule_one.
uint32_t nodes_to_find(int32_t percentage, uint32_t nodes);

class Decider {
 public:
  Decider(model::Cluster& cluster, Evaluator& evaluator, host::CallContext& worker,
          DecideOptions options);

  // Precondition: cluster.order_rows() was called since nodes came or went.
  Decision decide(Profile& profile, const Request& request);

  // Of the last decision, as long as the model stands still.
  const SearchResult& window() const { return window_; }
  const DecisionContext& cycle() const { return cycle_; }
  const std::vector<HookScores>& scores() const { return scores_; }
  // Why a row is refused, by the filters of the last decision, which must not have ended in
  // PreFilter; nothing if it is feasible. A row that the search did not come to is looked at now.
  std::optional<Refusal> refusal(model::Row row);

 private:
  struct Narrowed {
    std::vector<model::StringId> names;  // sorted; of nodes that need not exist
    std::vector<model::Row> rows;        // of those that do, in row order
    std::vector<std::string> plugins;    // that narrowed, sorted
  };

  bool pre_filter(Decision& decision);
  std::string ask_pre_filter(HookAt<host::PreFilter>& hook, TemplateHook& state,
                             PreFilterCache& answer);
  PreFilterRefusal describe_pre_filter(HookAt<host::PreFilter>& hook, TemplateHook& state,
                                       const PreFilterCache& answer);
  bool narrow(const std::string& plugin, const std::vector<model::StringId>& names);
  std::string empty_set_reason() const;
  bool try_nominated(Decision& decision);
  void search(const Request& request, Decision& decision);
  uint32_t wanted(uint32_t nodes) const;
  bool pre_score(Decision& decision);
  berth_feasible feasible_set();
  bool score(const Request& request, Decision& decision);
  void pick(const Request& request, Decision& decision);
  void explain_refusals(Decision& decision);
  void fail(Decision& decision, std::string message);

  model::Cluster& cluster_;
  Evaluator& evaluator_;
  host::CallContext& worker_;
  DecideOptions options_;
  ReasonCounter reasons_;
  RowFilter rows_;
  DecisionContext cycle_;
  SearchResult window_;
  std::vector<HookScores> scores_;
  std::optional<Narrowed> narrowed_;
  struct NominatedRefusal {
    model::Row row;
    RowVerdict verdict;
    bool outside;  // of the rows that were searched: a status of its own
  };
  std::optional<NominatedRefusal> nominated_;
  CallColumns columns_;
  BestRows best_;
  std::vector<uint64_t> feasible_bits_;
  uint64_t feasible_generation_ = 0;
  uint64_t pre_score_changes_ = 0;
};

}  // namespace berth::framework
