#pragma once

// What-ifs, threads and extenders for the PostFilter plugins of one decision: berth.what_if/0,
// berth.parallel/0 and berth.preempt_extenders/0 (berth/abi/overlay.h).
//
// Threads. `for_each` runs on the threads of the evaluation's arena, or on the calling thread
// alone. A thread has its own call context and its own what-ifs, which it keeps for the next rows,
// so nothing is allocated once the largest row was seen. The model is not modified until for_each
// returns; a what-if reads rows, pods and template states of the decision, and writes nothing else
// than its own memory. Where plugins follow pods by themselves (Profile::overlay_state), their
// columns of a pod may have to be worked out, which changes the model: then everything runs on the
// calling thread.

#include <memory>
#include <vector>

#include "engine/framework/decision/extenders.h"
#include "engine/framework/evaluation/rows/row_trial.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/host/instance/services/trial_services.h"

namespace berth::framework {

class WhatIfs final : public host::TrialServices {
 public:
  // `workers` and `extenders` outlive it. Null: the calling thread alone; no extenders.
  WhatIfs(model::Cluster& cluster, Workers* workers, Extenders* extenders = nullptr);
  ~WhatIfs() override;

  // The call of a PostFilter begins or is over. Precondition: the context's filters are resolved if
  // `tries`; otherwise what-ifs show pods and have no verdicts. All of it outlives the call.
  void serve(const DecisionContext& context, const BoundHook& hook, bool tries);
  // True if the plugin ended every what-if that it began; ends the others.
  bool finish();

  host::WhatIf* begin(uint32_t row) override;
  bool kept(berth_what_if_kept& out) override;
  void for_each(uint64_t count, void* context, void (*body)(void* context, uint64_t i)) override;
  berth_code ask_extenders(std::span<const Choice> choices,
                           const std::function<void(const Choice&)>& take,
                           std::string& error) override;
  bool extenders_preempt() override;

  // The call contexts of all threads, that of the calling thread included.
  std::vector<host::CallContext*> calls() const;
  // What-ifs that each thread began so far, that of the calling thread first.
  std::vector<uint64_t> begun() const;

 private:
  class RowWhatIf;
  struct Thread;

  Thread& thread();
  bool read(const Choice& choice, ExtenderVictims& out) const;

  model::Cluster& cluster_;
  Workers* workers_;
  Extenders* extenders_;
  std::vector<std::unique_ptr<Thread>> threads_;  // by slot of the arena; 0 is the caller's
  const DecisionContext* context_ = nullptr;      // of the call that goes on
  const BoundHook* hook_ = nullptr;
  bool tries_ = false;
  // True if for_each runs on several threads. Set before they begin and after they ended.
  bool parallel_ = false;
};

}  // namespace berth::framework
