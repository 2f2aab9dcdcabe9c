#include "engine/ingest/conversion/held_fields.h"

#include <string>

#include "engine/base/assert.h"

namespace berth::ingest {
namespace {

// Names with the fields within them in braces; arrays are as their elements. `*`: all that is
// below. `!`: read by admission alone. `$pod`, `$container`: the texts below.
constexpr std::string_view kHeldTable = R"(
Node{ apiVersion kind metadata{ name labels* annotations* }
  spec{ unschedulable taints{ key value effect } }
  status{ allocatable* capacity* conditions{ type status } images{ names* sizeBytes }
    declaredFeatures* features{ supplementalGroupsPolicy } } }
Pod{ apiVersion kind metadata{ $identity labels* creationTimestamp deletionTimestamp
    annotations{ $run $cost kubernetes.io/config.mirror }
    ownerReferences{ apiVersion kind name uid controller } }
  spec{ $spec }
  status{ phase nominatedNodeName qosClass startTime $statuses conditions{ type status reason }
    $sizes } }
Namespace{ apiVersion kind metadata{ name labels* } }
Service{ $owner } ReplicationController{ $owner } ReplicaSet{ $owner } StatefulSet{ $owner }
PodDisruptionBudget{ apiVersion kind metadata{ namespace name }
  spec{ selector* minAvailable maxUnavailable unhealthyPodEvictionPolicy }
  status{ disruptionsAllowed disruptedPods* } }
PersistentVolumeClaim{ apiVersion kind metadata{ $identity deletionTimestamp
    annotations{ volume.beta.kubernetes.io/storage-class volume.kubernetes.io/selected-node
      pv.kubernetes.io/bind-completed }
    ownerReferences{ uid controller } }
  spec{ $claim }
  status{ phase } }
PersistentVolume{ apiVersion kind metadata{ name generateName labels* deletionTimestamp
    annotations{ volume.beta.kubernetes.io/storage-class } }
  spec{ claimRef{ namespace name uid } storageClassName volumeAttributesClassName accessModes*
    capacity{ storage } volumeMode persistentVolumeReclaimPolicy nodeAffinity{ required* }
    csi{ driver volumeHandle } $disks }
  status{ phase } }
StorageClass{ apiVersion kind metadata{ name generateName creationTimestamp
    annotations{ storageclass.kubernetes.io/is-default-class
      storageclass.beta.kubernetes.io/is-default-class } } provisioner volumeBindingMode
  reclaimPolicy allowedTopologies* }
CSINode{ apiVersion kind metadata{ name generateName
    annotations{ storage.alpha.kubernetes.io/migrated-plugins } }
  spec{ drivers{ name allocatable{ count } topologyKeys } } }
CSIDriver{ apiVersion kind metadata{ name generateName } spec{ storageCapacity } }
CSIStorageCapacity{ apiVersion kind metadata{ namespace name generateName } storageClassName
  nodeTopology* maximumVolumeSize capacity }
VolumeAttachment{ apiVersion kind metadata{ name generateName }
  spec{ attacher nodeName source{ persistentVolumeName } } }
PodGroup{ apiVersion kind metadata{ namespace name generateName creationTimestamp }
  spec{ minMember scheduleTimeoutSeconds } }
Eviction{ apiVersion kind metadata{ namespace name }
  deleteOptions{ apiVersion kind gracePeriodSeconds dryRun preconditions{ uid resourceVersion } } }
KubeletConfiguration*
PodMetrics{ apiVersion kind metadata{ namespace name } containers* }
NodeMetrics{ apiVersion kind metadata{ name annotations{ berth/beside-pods } } usage* }
)";

// Of workloads whose pods are created.
constexpr std::string_view kExpanded = R"(
+Deployment{ $workload } +ReplicaSet{ $workload } +StatefulSet{ $workload }
+ReplicationController{ $workload } +DaemonSet{ $workload } +Job{ $workload }
)";

struct Macro {
  std::string_view name, text;
};
constexpr Macro kMacros[] = {
    {"$identity", "namespace name generateName uid"},
    {"$owner", "apiVersion kind metadata{ namespace name } spec{ selector* }"},
    {"$workload",
     "apiVersion kind metadata{ $identity } spec{ selector* replicas ordinals{ start } parallelism "
     "completions completionMode suspend template{ metadata{ labels* annotations{ $run $cost } } "
     "spec{ $spec } } "
     "volumeClaimTemplates{ metadata{ name } spec{ $claim } } }"},
    {"$run", "berth/runs-for berth/exit-code"},
    {"$cost", "controller.kubernetes.io/pod-deletion-cost"},
    {"$claim",
     "volumeName storageClassName volumeAttributesClassName accessModes* volumeMode selector* "
     "resources{ requests{ storage } }"},
    {"$spec",
     "schedulerName nodeName priority preemptionPolicy nodeSelector* affinity* "
     "tolerations{ key operator value effect tolerationSeconds } topologySpreadConstraints* "
     "schedulingGates{ name } terminationGracePeriodSeconds initContainers{ $container } "
     "containers{ $container } overhead* resources{ requests* limits* } hostNetwork "
     "hostUsers os{ name } securityContext{ supplementalGroupsPolicy } "
     "volumes{ name persistentVolumeClaim{ claimName } ephemeral{ volumeClaimTemplate* } csi{ "
     "driver } image{ reference } emptyDir $podDisks } "
     "priorityClassName! runtimeClassName!"},
    {"$container",
     "name image restartPolicy restartPolicyRules{ action } ports{ containerPort hostPort hostIP "
     "protocol } "
     "resources{ requests* limits* }"},
    {"$disks",
     "gcePersistentDisk{ pdName } awsElasticBlockStore{ volumeID } cinder{ volumeID } "
     "azureDisk{ diskURI } portworxVolume{ volumeID }"},
    {"$podDisks",
     "gcePersistentDisk{ pdName readOnly } awsElasticBlockStore{ volumeID } cinder{ volumeID } "
     "azureDisk{ diskURI } portworxVolume{ volumeID } iscsi{ iqn readOnly } "
     "rbd{ monitors* pool image readOnly }"},
    {"$statuses", "containerStatuses{ $status } initContainerStatuses{ $status }"},
    {"$status", "name $sizes"},
    {"$sizes", "resources{ requests* } allocatedResources*"},
};

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kBlanks = " \n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return text = {};
  text.remove_prefix(begin);
  const size_t end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

HeldFields::HeldFields() {
  for (std::string_view text : {kHeldTable, kExpanded}) parse(text, 0);
}

// Reads fields up to the brace that closes them, or to the end. The depth of the recursion is the
// table's.
void HeldFields::parse(std::string_view& text, uint16_t parent) {
  for (;;) {
    std::string_view word = next_word(text);
    if (word.empty() || word == "}") return;
    if (word.front() == '$') {
      for (const Macro& macro : kMacros) {
        if (macro.name != word) continue;
        std::string_view inner = macro.text;
        parse(inner, parent);
      }
      continue;
    }
    BERTH_ASSERT(size_ < kMost);
    const uint16_t self = size_++;
    Node& node = nodes_[self];
    node.next = nodes_[parent].first_child;
    nodes_[parent].first_child = self;
    const char last = word.back();
    if (last == '*' || last == '!' || last == '{') word.remove_suffix(1);
    node.name = word;
    node.whole = last == '*';
    node.of_admission = last == '!';
    if (last == '{') parse(text, self);
  }
}

uint16_t HeldFields::child(uint16_t node, std::string_view name) const {
  uint16_t at = nodes_[node].first_child;
  while (at != kNone && nodes_[at].name != name) at = nodes_[at].next;
  return at;
}

const HeldFields& HeldFields::get() {
  static const HeldFields fields;
  return fields;
}

}  // namespace berth::ingest
