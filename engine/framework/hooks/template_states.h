#pragma once

// Supplies the template states of a decision.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/framework/hooks/pod_kind.h"

namespace berth::framework {

// kShared: each hook keeps one state for each signature, with answers for later decisions.
// kFresh: every decision prepares its own states and calls every hook, so it depends on no state or
// answer of an earlier decision. Slow; the reference evaluation uses it, and its results are
// compared with those of the others.
enum class Reuse : uint8_t { kShared, kFresh };

// Belongs to the thread that owns the model. Destroy it, or call begin(), before the plugins'
// instances are destroyed.
class TemplateStates {
 public:
  explicit TemplateStates(Reuse reuse) : reuse_(reuse) {}

  bool fresh() const { return reuse_ == Reuse::kFresh; }

  // Begins a decision. Destroys the fresh states of the one before. `kind`: of the pod; null: hooks
  // are asked each time.
  void begin(PodKind* kind = nullptr) {
    if (!made_.empty()) made_.clear();
    kind_ = kind;
  }
  // The pod's kind, whose answers the decision may use and keep; null: it has to ask for all.
  PodKind* kind() { return kind_; }
  // The hook's state for the pod (see BoundHook::of). Valid until the next begin(). Its columns of
  // counts by row may lag.
  TemplateHook& of(BoundHook& hook, const model::PodRecord& pod, host::CallContext& calls) {
    if (fresh()) [[unlikely]] {
      made_.push_back(hook.prepare_anew(pod, calls));
      return *made_.back();
    }
    if (kind_ == nullptr || hook.follows_pod()) return hook.of(pod, calls);
    TemplateHook*& known = kind_->states[hook.index()];
    if (known == nullptr) known = &hook.of(pod, calls);
    return *known;
  }

 private:
  Reuse reuse_;
  PodKind* kind_ = nullptr;
  std::vector<std::unique_ptr<TemplateHook>> made_;
};

}  // namespace berth::framework
