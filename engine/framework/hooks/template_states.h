#pragma once

// Where a decision gets its template states from.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/framework/hooks/bound_hook.h"

namespace berth::framework {

// kShared: each hook keeps one state for each signature, with answers for later decisions.
// kFresh: every decision prepares its own states and asks every hook, so no answer and no state of
// an earlier decision can reach it. Slow; the reference evaluation is compared with the others
// because of it.
enum class Reuse : uint8_t { kShared, kFresh };

class TemplateStates {
 public:
  explicit TemplateStates(Reuse reuse) : reuse_(reuse) {}

  bool fresh() const { return reuse_ == Reuse::kFresh; }

  // A decision begins. States of the one before are destroyed if they are fresh.
  void begin() { made_.clear(); }
  // Valid until the next `begin`.
  TemplateHook& of(BoundHook& hook, const model::PodRecord& pod, host::CallContext& calls) {
    if (!fresh()) return hook.of(pod, calls);
    made_.push_back(hook.prepare_anew(pod, calls));
    return *made_.back();
  }

 private:
  Reuse reuse_;
  std::vector<std::unique_ptr<TemplateHook>> made_;
};

}  // namespace berth::framework
