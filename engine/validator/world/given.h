#pragma once

// Objects of a user's files, which are in the cluster of a check beside the made-up ones.

#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/objects/change.h"

namespace berth::validator {

struct GivenObjects {
  std::vector<model::Object> others;  // nodes, namespaces, objects of storage, ...
  std::vector<model::Pod> pods;       // those that name a node of the cluster run there
};

// The ids of given pods in a cluster.
struct GivenPods {
  std::vector<model::PodId> placed, waiting;
};

// Puts the objects into the cluster, which is empty. Kinds that only controllers read are left out,
// so are pods that have finished, and of pods with one name all but the first.
GivenPods put_given(const GivenObjects& given, model::Cluster& cluster);

}  // namespace berth::validator
