#pragma once

// The parts of a pod that a kubelet reads to rank it, to refuse it and to stop it. Plain values.
// Fields are those of the API after defaulting. Source: k8s.io/kubernetes pkg/kubelet v1.36.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/controllers/kubelet/pod/amount.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers::kubelet {

using model::QosClass;

struct Container {
  std::string name;
  Amounts requests, limits;
  bool sidecar = false;  // an init container with restartPolicy Always
};

enum class VolumeKind : uint8_t {
  kEmptyDir,
  kEmptyDirInMemory,
  kOtherEphemeral,  // configMap, gitRepo: on the node's disk, and of the pod alone
  kHostPath,
  kOther,  // claims and everything else: not on the node's disk
};

struct Volume {
  std::string name;
  VolumeKind kind = VolumeKind::kOther;
  std::optional<Amount> size_limit;  // of an emptyDir

  bool empty_dir() const {
    return kind == VolumeKind::kEmptyDir || kind == VolumeKind::kEmptyDirInMemory;
  }
  // Counts as ephemeral storage of the pod.
  bool ephemeral() const {
    return kind == VolumeKind::kEmptyDir || kind == VolumeKind::kOtherEphemeral;
  }
  // Counts when pods are ranked by the disk that they use.
  bool local() const { return ephemeral() || kind == VolumeKind::kHostPath; }
};

// spec.resources: requests and limits of the pod as a whole.
struct PodResources {
  Amounts requests, limits;
};

struct Pod {
  std::string namespace_name, name;
  std::optional<int32_t> priority;
  std::string priority_class;
  bool is_static = false;                // from a file or an address, not from the API
  bool is_mirror = false;                // the API's image of a static pod
  std::optional<QosClass> qos_class;     // status.qosClass
  std::optional<int64_t> grace_seconds;  // terminationGracePeriodSeconds
  std::vector<model::Toleration> tolerations;
  std::vector<Container> containers, init_containers;
  Amounts overhead;
  std::optional<PodResources> resources;
  std::vector<Volume> volumes;
};

}  // namespace berth::controllers::kubelet
