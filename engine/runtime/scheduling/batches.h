#pragma once

// The batches of all profiles (framework/batches/batch.h): pods that are equal and follow each
// other take the nodes that the first one's decision scored.

#include <memory>
#include <optional>
#include <vector>

#include "engine/framework/batches/batch.h"
#include "engine/framework/batches/signatures.h"
#include "engine/framework/decision/decide.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/runtime/scheduling/queue_policy.h"

namespace berth::runtime {

class Batches {
 public:
  // Null: no profile can compare pods. The cluster outlives the result. `decide`: of the decisions.
  static std::unique_ptr<Batches> make(model::Cluster& cluster, const QueuePolicy& policy,
                                       const framework::DecideOptions& decide);

  // The pod of the request is decided next. `turn`: of this pod, without the signature.
  void begin(queue::ProfileId profile, framework::Batch::Turn turn, framework::Request& request);
  // All batches end.
  void forget() {
    for (const auto& of : profiles_)
      if (of != nullptr) of->batch.forget();
  }
  // It was decided. To be called before the pod is placed.
  void end(const framework::Decider& decider, const framework::Decision& decision);

 private:
  struct OfProfile {
    OfProfile(model::Cluster& cluster, const host::Signing& by, framework::TieBreak ties)
        : signatures(cluster, by), batch(cluster, ties) {}

    framework::PodSignatures signatures;
    framework::Batch batch;
  };

  std::vector<std::unique_ptr<OfProfile>> profiles_;  // by id; null: it cannot compare pods
  OfProfile* current_ = nullptr;                      // of the request
  framework::Batch::Turn turn_;
};

}  // namespace berth::runtime
