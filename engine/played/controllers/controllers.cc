#include "engine/played/controllers/controllers.h"

#include "engine/played/controllers/garbage_collector.h"
#include "engine/played/controllers/node_lifecycles.h"
#include "engine/played/controllers/taint_evictions.h"

namespace berth::played {

// Conditions become taints before taints evict.
Controllers::Controllers(runtime::Core& core, Evictor& evictor, const ControllerList& list) {
  const auto join = [&](auto& made) { core.join(*made); };
  if (list.has(ControllerName::kNodeLifecycle))
    join(lifecycles_ = std::make_unique<NodeLifecycles>(core, nullptr));
  if (list.has(ControllerName::kTaintEviction))
    join(taints_ = std::make_unique<TaintEvictions>(core, evictor));
  if (list.has(ControllerName::kPodGarbage))
    join(garbage_ = std::make_unique<GarbageCollector>(core, evictor, lifecycles_.get()));
}

Controllers::~Controllers() = default;

}  // namespace berth::played
