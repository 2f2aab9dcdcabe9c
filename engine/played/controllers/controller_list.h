#pragma once

// Which controllers a run plays, as kube-controller-manager's option --controllers says it:
//
//   *                         all of them
//   *,-taint-eviction-controller
//   disruption-controller     this one alone

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::played {

enum class ControllerName : uint8_t {
  kDaemonSet,
  kDeployment,
  kDisruption,
  kJob,
  kKubelet,  // of all nodes; kube-controller-manager has none of this name
  kNodeLifecycle,
  kPodGarbage,
  kReplicaSet,
  kReplicationController,
  kStatefulSet,
  kTaintEviction
};
inline constexpr std::array<std::string_view, 11> kControllerNames = {
    "daemonset-controller",
    "deployment-controller",
    "disruption-controller",
    "job-controller",
    "kubelet",
    "node-lifecycle-controller",
    "pod-garbage-collector-controller",
    "replicaset-controller",
    "replicationcontroller-controller",
    "statefulset-controller",
    "taint-eviction-controller"};

class ControllerList {
 public:
  static ControllerList all() { return ControllerList(true); }
  static ControllerList none() { return ControllerList(false); }
  static ControllerList only(ControllerName name) {
    ControllerList list = none();
    list.on_[static_cast<size_t>(name)] = true;
    return list;
  }
  // A list of names, each with a minus or without, and `*`, with commas between them. What comes
  // first holds. Empty: none. Throws Error for a name that is not known.
  static ControllerList parse(std::string_view text);

  // The shortest such list, of which parse() makes the same.
  std::string text() const;

  bool operator==(const ControllerList&) const = default;
  bool has(ControllerName name) const { return on_[static_cast<size_t>(name)]; }
  // True if one of them creates the pods of workloads.
  bool create_pods() const {
    using enum ControllerName;
    return has(kDaemonSet) || has(kJob) || has(kReplicaSet) || has(kReplicationController) ||
           has(kStatefulSet);
  }
  // True if one of them reads workloads.
  bool read_workloads() const { return create_pods() || has(ControllerName::kDisruption); }

 private:
  explicit ControllerList(bool on) { on_.fill(on); }

  std::array<bool, kControllerNames.size()> on_{};
};

}  // namespace berth::played
