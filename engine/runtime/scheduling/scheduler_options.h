#pragma once

#include <cstdint>

#include "engine/base/rules/rules.h"
#include "engine/binding/binder.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/host/instance/services/waiting_service.h"
#include "engine/queue/scheduling_queue.h"

namespace berth::runtime {

struct SchedulerOptions {
  Rules rules{};  // what the options below do not say already
  framework::DecideOptions decide;
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full;
  // One decision in so many is verified (framework/verification); 0: none. With kAsItPays also none
  // by the reference evaluation, which keeps nothing that could be wrong.
  uint64_t verify_every = 0;
  queue::QueueOptions queue;
  // Pods that are bound together, at most Binder::kMostPods. 1: a pod is bound before the next one
  // is decided.
  size_t bind_batch = binding::Binder::kMostPods;
  // True: a scheduled pod counts on its node from then on. False: every pod is tried once, against
  // the same cluster, and nothing is reserved, bound, evicted or nominated.
  bool assume = true;
  // True: nominations and evictions are carried out. False: the decision alone has them.
  bool preempts = true;
  // The trials that the services of PostFilter plugins use; outlives the scheduler.
  host::Trials* trials = nullptr;
  // The pods that the service of waiting pods shows; outlives the scheduler. May be null.
  host::Waiting* waiting = nullptr;
  binding::PlacementObserver* observer = nullptr;  // outlives the scheduler; may be null
  // Calls of plugins are timed in one decision of so many: a clock at each call costs more than
  // the calls.
  uint32_t time_calls_every = 256;
};

}  // namespace berth::runtime
