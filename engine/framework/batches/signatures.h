#pragma once

// Signatures of pods: equal ones mean that all plugins of a profile decide alike about the pods, as
// far as they say by what they decide (berth/abi/signing.h). A signature is coarser than a kind of
// pods (hooks/pod_kind.h): it has sets where the pod has lists, and leaves out what kube-scheduler
// leaves out.
//
// Sources: kube-scheduler v1.36.2 runtime/framework.go SignPod, signers.go, and SignPod of the
// plugins.

#include <optional>
#include <string>

#include "engine/host/run/signing_service.h"
#include "engine/model/cluster/cluster.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class PodSignatures {
 public:
  // The cluster outlives it. Precondition: it has the columns of `by`.
  PodSignatures(model::Cluster& cluster, const host::Signing& by);

  // Bytes that are equal for two pods if and only if their signatures are. Nothing: the pod cannot
  // be compared with others.
  std::optional<std::string> of(const model::PodRecord& pod);

 private:
  bool compares(const model::PodSpec& spec) const;

  model::Cluster& cluster_;
  const uint64_t parts_, without_;
  std::vector<model::ColumnId> columns_;  // in order, each once
};

}  // namespace berth::framework
