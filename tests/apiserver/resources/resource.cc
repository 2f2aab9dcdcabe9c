#include "tests/apiserver/resources/resource.h"

#include "engine/base/assert.h"

namespace berth::apiserver {
namespace {

using Part = Resource::StatusPart;
using Names = std::span<const std::string_view>;
using Fields = std::span<const SelectableField>;

constexpr std::string_view kCore, kApps = "apps", kStorage = "storage.k8s.io";
constexpr std::string_view kDevices = "resource.k8s.io";
constexpr bool kCluster = false, kNamespaced = true;

constexpr std::string_view kNs[] = {"ns"}, kNo[] = {"no"}, kPo[] = {"po"}, kSvc[] = {"svc"},
                           kRc[] = {"rc"}, kPvc[] = {"pvc"}, kPv[] = {"pv"}, kCm[] = {"cm"},
                           kEv[] = {"ev"}, kSa[] = {"sa"}, kRs[] = {"rs"}, kSts[] = {"sts"},
                           kDeploy[] = {"deploy"}, kDs[] = {"ds"}, kPdb[] = {"pdb"}, kSc[] = {"sc"},
                           kPc[] = {"pc"}, kPg[] = {"pg", "podgroup"};

constexpr SelectableField kPodFields[] = {
    {"spec.nodeName", "spec.nodeName"},
    {"spec.schedulerName", "spec.schedulerName"},
    {"status.phase", "status.phase"},
    {"status.nominatedNodeName", "status.nominatedNodeName"},
};
constexpr SelectableField kPhase[] = {{"status.phase", "status.phase"}};
constexpr SelectableField kSliceFields[] = {{"spec.nodeName", "spec.nodeName"},
                                            {"spec.driver", "spec.driver"}};
constexpr SelectableField kEventFields[] = {
    {"involvedObject.kind", "involvedObject.kind"},
    {"involvedObject.namespace", "involvedObject.namespace"},
    {"involvedObject.name", "involvedObject.name"},
    {"involvedObject.uid", "involvedObject.uid"},
    {"reason", "reason"},
    {"type", "type"},
    {"reportingComponent", "reportingComponent"},
};
// Of the same storage, so in the same order.
constexpr SelectableField kRegardingFields[] = {
    {"regarding.kind", "involvedObject.kind"},
    {"regarding.namespace", "involvedObject.namespace"},
    {"regarding.name", "involvedObject.name"},
    {"regarding.uid", "involvedObject.uid"},
    {"reason", "reason"},
    {"type", "type"},
    {"reportingController", "reportingComponent"},
};

constexpr Resource kResources[] = {
    {kCore, "v1", "namespaces", "namespace", "Namespace", kNs, kCluster, Part::kDropped, false,
     kPhase},
    {kCore, "v1", "nodes", "node", "Node", kNo, kCluster, Part::kKept},
    {kCore, "v1", "pods", "pod", "Pod", kPo, kNamespaced, Part::kDropped, true, kPodFields},
    {kCore, "v1", "services", "service", "Service", kSvc, kNamespaced, Part::kDropped},
    {kCore, "v1", "replicationcontrollers", "replicationcontroller", "ReplicationController", kRc,
     kNamespaced, Part::kDropped, true},
    {kCore, "v1", "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim", kPvc,
     kNamespaced, Part::kDropped},
    {kCore, "v1", "persistentvolumes", "persistentvolume", "PersistentVolume", kPv, kCluster,
     Part::kDropped},
    {kCore, "v1", "configmaps", "configmap", "ConfigMap", kCm},
    {kCore, "v1", "events", "event", "Event", kEv, kNamespaced, Part::kNone, false, kEventFields},
    {kCore, "v1", "serviceaccounts", "serviceaccount", "ServiceAccount", kSa},
    {kApps, "v1", "replicasets", "replicaset", "ReplicaSet", kRs, kNamespaced, Part::kDropped,
     true},
    {kApps, "v1", "statefulsets", "statefulset", "StatefulSet", kSts, kNamespaced, Part::kDropped,
     true},
    {kApps, "v1", "deployments", "deployment", "Deployment", kDeploy, kNamespaced, Part::kDropped,
     true},
    {kApps, "v1", "daemonsets", "daemonset", "DaemonSet", kDs, kNamespaced, Part::kDropped, true},
    {"batch", "v1", "jobs", "job", "Job", Names(), kNamespaced, Part::kDropped, true},
    {"policy", "v1", "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget", kPdb,
     kNamespaced, Part::kDropped, true},
    {kStorage, "v1", "storageclasses", "storageclass", "StorageClass", kSc, kCluster},
    {kStorage, "v1", "csinodes", "csinode", "CSINode", Names(), kCluster},
    {kStorage, "v1", "csidrivers", "csidriver", "CSIDriver", Names(), kCluster},
    {kStorage, "v1", "csistoragecapacities", "csistoragecapacity", "CSIStorageCapacity"},
    {kStorage, "v1", "volumeattachments", "volumeattachment", "VolumeAttachment", Names(), kCluster,
     Part::kDropped},
    {kDevices, "v1", "resourceclaims", "resourceclaim", "ResourceClaim", Names(), kNamespaced,
     Part::kDropped},
    {kDevices, "v1", "resourceslices", "resourceslice", "ResourceSlice", Names(), kCluster,
     Part::kNone, false, kSliceFields},
    {kDevices, "v1", "deviceclasses", "deviceclass", "DeviceClass", Names(), kCluster},
    {"scheduling.k8s.io", "v1", "priorityclasses", "priorityclass", "PriorityClass", kPc, kCluster},
    {"coordination.k8s.io", "v1", "leases", "lease", "Lease"},
    {"events.k8s.io", "v1", "events", "event", "Event", kEv, kNamespaced, Part::kNone, false,
     kRegardingFields, View::kEvents},
    {"scheduling.x-k8s.io", "v1alpha1", "podgroups", "podgroup", "PodGroup", kPg, kNamespaced,
     Part::kDropped, true},
};

}  // namespace

std::span<const Resource> all_resources() { return kResources; }

const Resource* find_resource(std::string_view group, std::string_view version,
                              std::string_view plural) {
  for (const Resource& resource : kResources) {
    if (resource.plural == plural && resource.group == group && resource.version == version) {
      return &resource;
    }
  }
  return nullptr;
}

size_t storage_of(const Resource& resource) {
  const Resource* stored = &resource;
  if (resource.view == View::kEvents) stored = find_resource("", "v1", "events");
  BERTH_ASSERT(stored >= kResources);
  return static_cast<size_t>(stored - kResources);
}

std::string api_version(const Resource& resource) {
  std::string made(resource.group);
  if (!made.empty()) made += '/';
  return made.append(resource.version);
}

}  // namespace berth::apiserver
