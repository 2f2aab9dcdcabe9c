#pragma once

// Taints keep away pods that do not tolerate them: NoSchedule and NoExecute refuse,
// PreferNoSchedule lowers the score (kube-scheduler v1.34.1, plugins/tainttoleration). Both hooks
// run over the distinct lists of taints instead of over nodes.

#include "berth/sdk/kubernetes/tolerations.hpp"
#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

struct TaintState {
  sdk::Tolerations tolerations;  // of the template's pods
};

// The lists of taints, as inputs of a hook: string ids, by position of the list; the three are in
// step.
struct TaintInputs {
  explicit TaintInputs(sdk::Declaration& hook)
      : keys(hook, "taint_set.keys"),
        values(hook, "taint_set.values"),
        effects(hook, "taint_set.effects") {}

  sdk::ListInput<uint32_t> keys, values, effects;
};

// A position is a list of taints. Refuses as UNSCHEDULABLE_AND_UNRESOLVABLE: evictions change no
// taints.
class TaintFilter final : public sdk::Filter<TaintState> {
 public:
  TaintFilter() { run_over("node.taints"); }

  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, TaintState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  // The only reason; its text names the first taint that is not tolerated, but for the rule
  // TaintsUnnamed (kube-scheduler v1.36.2).
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  sdk::Strings strings_;
  sdk::TaintWords words_;
  bool unnamed_ = false;
  sdk::TolerationInputs tolerations_{*this};
  TaintInputs taints_{*this};
};

// Has nothing to do: Score::prepare reads the tolerations. Score fails for pods for which it did
// not run, as in kube-scheduler.
class TaintPreScore final : public sdk::PreScore<> {
 public:
  void pre_score(const Call&, const berth_feasible*, sdk::PreScoreResult&) const override {}
};

// The raw score is the number of taints with effect PreferNoSchedule that the pod does not
// tolerate; the host normalises, so that the node with the most gets 0 and one without any 100.
class TaintScore final : public sdk::Score<TaintState> {
 public:
  TaintScore() : Score(BERTH_NORMALISE_MAX_REVERSED) { run_over("node.taints"); }

  void init(sdk::Host host) override { words_ = sdk::TaintWords(sdk::Strings(host)); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, TaintState& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  sdk::TaintWords words_;
  sdk::TolerationInputs tolerations_{*this};
  TaintInputs taints_{*this};
};

// A node whose taints the pod tolerates, and that is new or had others; a toleration for the pod.
class TaintHints final : public sdk::Hints<TaintState> {
 public:
  void init(sdk::Host host) override { words_ = sdk::TaintWords(sdk::Strings(host)); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, TaintState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  sdk::TaintWords words_;
  sdk::TolerationInputs tolerations_{*this};
  TaintInputs taints_{*this};
  sdk::Input<uint32_t> node_taints_{*this, "node.taints"};  // position of the node's list
};

using TaintToleration =
    sdk::HooksBy<BERTH_PART_TOLERATIONS, TaintFilter, TaintPreScore, TaintScore, TaintHints>;

}  // namespace berth::plugins
