#pragma once

// Finds why pods end differently in two runs of one input.
//
// After the first decision that differs, the two clusters are different, and so are most decisions
// that follow, though no rule differs about them. To tell causes from what follows, one would have
// to ask the rules of B about the state of A. That is done here, and exactly:
//
//   1. B runs, and keeps of each attempt the pod, the node, and what it evicts (Trail).
//   2. A runs. Each of its decisions is compared with that of B about the same attempt of the same
//      pod. Where they differ, and only there, the settings of B are asked at once, in the state of
//      A, with A's place in the round of nodes and the same attempt (runtime::SecondOpinion).
//   3. If B answers as A did, no rule differs about this pod: in its own run, B decided otherwise
//      because its cluster was different by then. The pod follows. If B answers otherwise, two
//      rules were asked the same question: the first filter or score that differs is the cause
//      (first_rule). The first such answer about a pod is the one that is kept.
//
// Why nothing is missed by asking only where the runs differ: while all attempts were equal, so are
// the states, and then the answer to be had is that of B's own run. Later, pods about which the
// runs agree are no difference to explain.
//
// A difference without such an answer, and with none before it in A, cannot follow from a decision.
// Then the pods were tried in another order or at other times, or a plugin refused the chosen node
// at Reserve or later, where second opinions are not asked. Both are seen in the attempts.
//
// Costs: a run of B, a run of A, and a decision of the full evaluation for each attempt that
// differs; for 10,000 pods on 5,000 nodes half a second, if all of them do.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>

#include "cli/diff/cause.h"
#include "cli/diff/trail.h"
#include "engine/framework/decision/decision_watch.h"
#include "engine/runtime/core.h"
#include "engine/runtime/second_opinion.h"

namespace berth::cli {

// Watches the decisions of a run and keeps them.
class TrailKeeper : public framework::DecisionWatch {
 public:
  // All of it outlives the object.
  TrailKeeper(PodNumbers& numbers, TextTable& texts) : numbers_(numbers), trail_(texts) {}

  // To be called once, before the first report.
  void watch(runtime::Core& core);
  void take(const runtime::Report& report);
  const Trail& trail() const { return trail_; }

  void made(framework::Decider& decider, const framework::Request& request,
            const framework::Decision& decision) override;

 protected:
  runtime::Core& core() { return *core_; }
  // The attempt is the last of the trail.
  virtual void kept(const Attempt& /*attempt*/, framework::Decider& /*decider*/,
                    const framework::Request& /*request*/,
                    const framework::Decision& /*decision*/) {}

 private:
  PodNumbers& numbers_;
  Trail trail_;
  runtime::Core* core_ = nullptr;
  std::optional<ArrivedPods> pods_;
};

// The same of the run A, whose core has the settings of B as its second opinion.
class CauseFinder final : public TrailKeeper {
 public:
  // `other`: the attempts of B, all of them. It outlives the object.
  CauseFinder(PodNumbers& numbers, TextTable& texts, const Trail& other)
      : TrailKeeper(numbers, texts), other_(other) {}

  // Null: B would have decided about the pod as A did, in the state of A.
  const Cause* cause_of(PodNumbers::Number pod) const;
  // True if a decision differed before the pod's last attempt in A.
  bool after_a_cause(PodNumbers::Number pod) const;
  // True if the runs did not try the same pods in the same order.
  bool order_differs() const;

 private:
  void kept(const Attempt& attempt, framework::Decider& decider, const framework::Request& request,
            const framework::Decision& decision) override;

  const Trail& other_;
  boost::unordered_flat_map<PodNumbers::Number, Cause> causes_;
  size_t first_cause_ = SIZE_MAX;  // its position in the trail
};

}  // namespace berth::cli
