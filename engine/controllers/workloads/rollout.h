#pragma once

// The next step of a Deployment from the pods of one template to those of another. Source:
// pkg/controller/deployment, rolling.go, recreate.go and sync.go, and util/deployment_util.go.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/model/objects/workload.h"

namespace berth::controllers {

// The demands of a Deployment, with the numbers that its percentages come to.
struct RolloutLimits {
  RolloutLimits(const model::Rollout& rollout, uint64_t pods);

  int64_t replicas = 0;
  int64_t surge = 0;        // pods beyond them
  int64_t unavailable = 0;  // pods that may lack
  bool recreates = false;   // the former pods go before others come
};

// A ReplicaSet of the Deployment.
struct RolloutSet {
  int64_t replicas = 0;   // that it is to have
  int64_t available = 0;  // pods that were ready for long enough
  bool operator==(const RolloutSet&) const = default;
};

// Changes the replicas of sets as one look of the controller does; false: nothing is to be changed
// until their pods change. `sets`: by age, the oldest first. `current`: the index of the one that
// is to have all pods. `former_pods`: pods of others are there, be it that they terminate. Pods
// that a set loses are not available first.
bool rollout_step(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits,
                  bool former_pods);

// The Deployment asks for another number of pods: distributes it among the sets that have some.
// `most_before`: pods that were allowed at one time before.
void scale_sets(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits,
                int64_t most_before);

}  // namespace berth::controllers
