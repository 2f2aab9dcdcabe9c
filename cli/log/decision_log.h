#pragma once

// The log of `berth run -v=LEVEL` on stderr: the lines of kube-scheduler v1.34.1 that speak of
// single pods, at klog's levels, each with those below it.
//
//   1   errors
//   2   pods that were bound, could not be scheduled or were evicted; the trace of a decision over
//   100 ms; at the
//       end, how many pods each queue has, which kube-scheduler logs when it is sent SIGUSR2
//   3   each attempt, and the queue of a pod whose attempt failed; pods that are skipped because
//       they are being deleted; pods without a node that arrive or leave, and pods that get a node
//       or leave it
//   4   all steps of a trace; pods that an event moves from waiting
//   5   what PreFilter and PostFilter plugins answered about pods without a node; each pod that
//       enters the active queue, backoff or the gated pods
//   10  the score of each plugin for each node, and each node's total; the resources behind scores
//
// The time of a line is that of the run's clock (UTC), so two runs of one input have one log; only
// traces measure the machine's time.

#include <boost/unordered/unordered_flat_map.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/log/cycle_trace.h"
#include "cli/log/klog_line.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/decision/decision_watch.h"
#include "engine/output/pod_result.h"
#include "engine/queue/move_watch.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// Empty if `text` is a level that klog takes, a number of up to 31 bits; else what is wrong. A
// level that adds nothing is that below it; 0 is silence.
std::string log_level_problem(const std::string& text);

// "activeQ:1; backoffQ:0; unschedulablePods:2", the sizes of kube-scheduler's queues.
std::string queue_summary(const queue::SchedulingQueue& queue);

class DecisionLog final : public framework::DecisionWatch, public queue::MoveWatch {
 public:
  // `write` gets whole lines. The core outlives the log. Precondition: a level other than 0.
  DecisionLog(int level, runtime::Core& core, std::function<void(const std::string&)> write);

  void begins(const model::PodRecord& pod) override;
  void ordered() override;
  void searched() override;
  void ranked() override;
  void decided(const framework::Decider& decider, const framework::Decision& decision) override;
  // False: the level has no line about moves, and entered() need not be called.
  bool hears_moves() const { return level_ >= 3; }
  void entered(const Entered& pod) override;
  void take(const runtime::Report& report);
  // From level 2 on, though it is none of kube-scheduler's lines: what the API server answers.
  void take(const output::EvictionResult& answer);
  // The same, of a line that kubectl prints when it drains the node.
  void drains(std::string_view node, std::string_view text);
  // The run ends: what is left in the queues.
  void end();

 private:
  struct Searched {
    uint32_t evaluated = 0, feasible = 0;
  };

  KlogLine line(std::string_view message, Severity severity = Severity::kInfo,
                SourcePlace place = SourcePlace::here());
  std::string name_of(model::PodId pod) const;
  void scores(const framework::Decider& decider);
  void scored_resources(const framework::Decider& decider, model::Row row);
  void extender_scores(const framework::Decider& decider);
  void unable(model::PodId pod, std::string_view why);
  void failed(model::PodId pod, std::string_view why);
  void refused(const runtime::Refused& by);
  void bound(const runtime::Bound& to);
  void preempted(const runtime::Evicted& victim);
  void disrupted(const runtime::Disrupted& by);
  void recorded(const events::Event& event);
  void arrived(const runtime::Arrived& pods);
  void got_node(model::PodId pod);
  void deleted(model::PodId pod);
  void entered_queue(const Entered& pod, const std::string& name, const std::string& event);
  std::string rejectors_of(model::PodId pod);
  void flush();

  const int level_;
  runtime::Core& core_;
  std::function<void(const std::string&)> write_;
  std::map<std::string, int64_t> extender_weights_;
  CycleTrace trace_;
  uint64_t attempts_ = 0;
  std::string pod_;  // under way
  // By handle, of scheduled pods that are not bound.
  boost::unordered_flat_map<uint64_t, Searched> searched_;
  std::string text_;  // lines that are not written yet
};

}  // namespace berth::cli
