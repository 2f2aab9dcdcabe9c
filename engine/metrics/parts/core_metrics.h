#pragma once

// Metrics that are read from the core: they change when refresh() is called, and not before.
//
// One thread writes, that of the core. Any thread may collect the registry meanwhile.

#include <array>
#include <cstdint>
#include <vector>

#include "engine/metrics/families.h"
#include "engine/runtime/core.h"

namespace berth::metrics {

class CoreMetrics {
 public:
  // The registry and the core outlive the object.
  CoreMetrics(prometheus::Registry& registry, runtime::Core& core);

  // Reads the core, between two of its calls. Looks at each pod that waits: some milliseconds for
  // 100,000. `binding_cycles`: those under way.
  void refresh(size_t binding_cycles);

 private:
  static constexpr size_t kQueues = 3;
  // A counter, and what it stands at.
  struct Counted {
    prometheus::Counter* counter = nullptr;
    uint64_t count = 0;
    void set(uint64_t now);
  };
  struct Evaluations {
    host::HookId hook = 0;
    Counted calls;
  };
  using Entered = std::array<Counted, kQueues>;

  template <typename Hooks>
  void add_evaluations(Counters& family, const std::string& profile, const Hooks& hooks);
  void set_queue_sizes();
  void count_moves();
  void count_refused();
  void count_evaluations();

  runtime::Core& core_;
  Counters& incoming_;
  Gauges& unschedulable_;
  prometheus::Gauge& active_;
  prometheus::Gauge& backoff_;
  prometheus::Gauge& waiting_;
  prometheus::Gauge& gated_;
  prometheus::Gauge& nodes_;
  prometheus::Gauge& pods_;
  prometheus::Gauge& assumed_;
  prometheus::Gauge& binding_;
  std::vector<Entered> entered_;                // by kind of move
  std::vector<prometheus::Gauge*> refused_by_;  // by refuser; null: it refused nobody
  std::vector<Evaluations> evaluations_;
};

}  // namespace berth::metrics
