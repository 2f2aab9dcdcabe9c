#pragma once

// A row with some pods added or removed, as filters must see it: its columns (Overlay), and the
// states of plugins that keep their own data about a node's pods (berth.overlay_state). It
// corresponds to kube-scheduler's copy of a NodeInfo with RunPreFilterExtensionAddPod and
// RunPreFilterExtensionRemovePod.
//
// Such a plugin's Filter prepares a state that depends on the pods of nodes. On a changed row its
// calls get a scratch in place of that state: a copy that the plugin's `begin` makes, and to which
// `add_pod` and `remove_pod` apply each change. A scratch is made for the first change after
// `begin`, brought back by `reset` for the next row, and ended when the next decision begins.
//
// Belongs to one thread. It reads the model and the context, which must not be modified between
// `begin` and the last call that uses the row.

#include <string>
#include <vector>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/decision_context.h"

namespace berth::framework {

class ChangedRow {
 public:
  // `calls` is the context of the thread that uses the row. The cluster, the context and the
  // instances of the profiles outlive the row.
  ChangedRow(const model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster), calls_(calls), overlay_(cluster) {}
  ~ChangedRow() { end_scratches(); }
  ChangedRow(const ChangedRow&) = delete;
  ChangedRow& operator=(const ChangedRow&) = delete;

  // Starts with a row without changes. The context outlives the use of the row. Precondition: the
  // context's filters are resolved.
  void begin(const DecisionContext& context, model::Row row);
  // Drops all changes. Precondition of this and all below: the row has begun.
  void reset() {
    BERTH_ASSERT(context_ != nullptr);
    begin(*context_, overlay_.row());
  }
  // Takes the row and the changes of `other`, which began for the same decision.
  void copy_from(const ChangedRow& other);

  // Add or remove a pod, in the order of the calls. The pod outlives the changes. If a plugin
  // fails, error() is set.
  void add_pod(const TrialPod& pod) { change(pod, 1); }
  void remove_pod(const TrialPod& pod) { change(pod, -1); }
  // Adds the pods that are nominated to the row and that filters must see (nominated.h).
  void add_nominated();
  // The overlay, to change values of the node itself: see Overlay::set.
  Overlay& overlay() { return overlay_; }

  model::Row row() const { return overlay_.row(); }
  const Overlay& overlay() const { return overlay_; }
  // The scratch to pass to calls of a filter in place of its prepared state; null: pass the
  // prepared state. `filter`: index in the profile's list.
  const void* state(size_t filter) const;
  // The error of a plugin that failed to apply a change; the row then has no verdicts. Empty: none.
  const std::string& error() const { return error_; }

 private:
  struct Change {
    const TrialPod* pod;
    int sign;
  };
  struct Scratch {
    size_t filter = 0;  // in the profile's list
    const void* base = nullptr;
    void* state = nullptr;  // null: not begun
    bool changed = false;
  };

  void begin_scratches();
  void end_scratches() noexcept;
  void end(Scratch& scratch) noexcept;
  void change(const TrialPod& pod, int sign);
  void follow(Scratch& scratch, const TrialPod& pod, int sign);
  void fail(const char* what, size_t filter, const host::CallError& error);
  const host::OverlayState& hook(const Scratch& scratch) const;

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  Overlay overlay_;
  const DecisionContext* context_ = nullptr;
  const Profile* profile_ = nullptr;  // of the scratches
  uint64_t resolution_ = 0;           // of the scratches
  std::vector<Scratch> scratches_;
  std::vector<Change> changes_;  // only if there are scratches
  std::string error_;
};

}  // namespace berth::framework
