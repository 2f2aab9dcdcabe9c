#include "engine/ingest/objects/fields/api_fields.h"

#include <array>
#include <cstddef>

namespace berth::ingest {
namespace {

// One type per entry: "Type: field field:TypeOfItsValue ...". A line that begins with a blank
// continues the entry. Fields are sorted. Contains all types that are reachable from Pod and Node,
// and the kinds that hold pod templates down to these. Source: the json tags in k8s.io/api v0.34.1,
// core/v1/types.go, apps/v1/types.go and batch/v1/types.go, and k8s.io/apimachinery v0.34.1,
// meta/v1/types.go; and, of the status of pods and nodes, k8s.io/api v0.36.2.
constexpr std::string_view kTable = R"(
Pod: apiVersion kind metadata:ObjectMeta spec:PodSpec status:PodStatus
Node: apiVersion kind metadata:ObjectMeta spec:NodeSpec status:NodeStatus
Deployment: apiVersion kind metadata:ObjectMeta spec:DeploymentSpec status
DeploymentSpec: minReadySeconds paused progressDeadlineSeconds replicas revisionHistoryLimit
  selector:LabelSelector strategy template:PodTemplateSpec
ReplicaSet: apiVersion kind metadata:ObjectMeta spec:ReplicaSetSpec status
ReplicaSetSpec: minReadySeconds replicas selector:LabelSelector template:PodTemplateSpec
ReplicationController: apiVersion kind metadata:ObjectMeta spec:ReplicationControllerSpec status
ReplicationControllerSpec: minReadySeconds replicas selector template:PodTemplateSpec
StatefulSet: apiVersion kind metadata:ObjectMeta spec:StatefulSetSpec status
StatefulSetSpec: minReadySeconds ordinals:StatefulSetOrdinals persistentVolumeClaimRetentionPolicy
  podManagementPolicy replicas revisionHistoryLimit selector:LabelSelector serviceName
  template:PodTemplateSpec updateStrategy volumeClaimTemplates
StatefulSetOrdinals: start
DaemonSet: apiVersion kind metadata:ObjectMeta spec:DaemonSetSpec status
DaemonSetSpec: minReadySeconds revisionHistoryLimit selector:LabelSelector
  template:PodTemplateSpec updateStrategy
Job: apiVersion kind metadata:ObjectMeta spec:JobSpec status
JobSpec: activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions
  managedBy manualSelector maxFailedIndexes parallelism podFailurePolicy podReplacementPolicy
  selector:LabelSelector successPolicy suspend template:PodTemplateSpec ttlSecondsAfterFinished
PodTemplateSpec: metadata:ObjectMeta spec:PodSpec
ObjectMeta: annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers
  generateName generation labels managedFields:ManagedFieldsEntry name namespace
  ownerReferences:OwnerReference resourceVersion selfLink uid
PodSpec: activeDeadlineSeconds affinity:Affinity automountServiceAccountToken containers:Container
  dnsConfig:PodDNSConfig dnsPolicy enableServiceLinks ephemeralContainers:EphemeralContainer
  hostAliases:HostAlias hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride
  imagePullSecrets:LocalObjectReference initContainers:Container nodeName nodeSelector os:PodOS
  overhead preemptionPolicy priority priorityClassName readinessGates:PodReadinessGate
  resourceClaims:PodResourceClaim resources:ResourceRequirements restartPolicy runtimeClassName
  schedulerName schedulingGates:PodSchedulingGate securityContext:PodSecurityContext
  serviceAccount serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain
  terminationGracePeriodSeconds tolerations:Toleration
  topologySpreadConstraints:TopologySpreadConstraint volumes:Volume
PodStatus: allocatedResources conditions:PodCondition containerStatuses:ContainerStatus
  ephemeralContainerStatuses:ContainerStatus
  extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP hostIPs:HostIP
  initContainerStatuses:ContainerStatus message nominatedNodeName observedGeneration phase podIP
  podIPs:PodIP qosClass reason resize resourceClaimStatuses:PodResourceClaimStatus
  resources:ResourceRequirements startTime
NodeSpec: configSource:NodeConfigSource externalID podCIDR podCIDRs providerID taints:Taint
  unschedulable
NodeStatus: addresses:NodeAddress allocatable capacity conditions:NodeCondition
  config:NodeConfigStatus daemonEndpoints:NodeDaemonEndpoints declaredFeatures
  features:NodeFeatures images:ContainerImage nodeInfo:NodeSystemInfo phase runtimeHandlers:NodeRuntimeHandler
  volumesAttached:AttachedVolume volumesInUse
OwnerReference: apiVersion blockOwnerDeletion controller kind name uid
ManagedFieldsEntry: apiVersion fieldsType fieldsV1 manager operation subresource time
Volume: awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource
  azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource
  configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource
  emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource
  flexVolume:FlexVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource
  glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource
  iscsi:ISCSIVolumeSource name nfs:NFSVolumeSource
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource
  photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource
  projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource
  scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource
  vsphereVolume:VsphereVirtualDiskVolumeSource
Container: args command env:EnvVar envFrom:EnvFromSource image imagePullPolicy lifecycle:Lifecycle
  livenessProbe:Probe name ports:ContainerPort readinessProbe:Probe
  resizePolicy:ContainerResizePolicy resources:ResourceRequirements restartPolicy
  restartPolicyRules:ContainerRestartRule securityContext:SecurityContext startupProbe:Probe stdin
  stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices:VolumeDevice
  volumeMounts:VolumeMount workingDir
EphemeralContainer: args command env:EnvVar envFrom:EnvFromSource image imagePullPolicy
  lifecycle:Lifecycle livenessProbe:Probe name ports:ContainerPort readinessProbe:Probe
  resizePolicy:ContainerResizePolicy resources:ResourceRequirements restartPolicy
  restartPolicyRules:ContainerRestartRule securityContext:SecurityContext startupProbe:Probe stdin
  stdinOnce targetContainerName terminationMessagePath terminationMessagePolicy tty
  volumeDevices:VolumeDevice volumeMounts:VolumeMount workingDir
PodSecurityContext: appArmorProfile:AppArmorProfile fsGroup fsGroupChangePolicy runAsGroup
  runAsNonRoot runAsUser seLinuxChangePolicy seLinuxOptions:SELinuxOptions
  seccompProfile:SeccompProfile supplementalGroups supplementalGroupsPolicy sysctls:Sysctl
  windowsOptions:WindowsSecurityContextOptions
LocalObjectReference: name
Affinity: nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
Toleration: effect key operator tolerationSeconds value
HostAlias: hostnames ip
PodDNSConfig: nameservers options:PodDNSConfigOption searches
PodReadinessGate: conditionType
TopologySpreadConstraint: labelSelector:LabelSelector matchLabelKeys maxSkew minDomains
  nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable
PodOS: name
PodSchedulingGate: name
PodResourceClaim: name resourceClaimName resourceClaimTemplateName
ResourceRequirements: claims:ResourceClaim limits requests
PodCondition: lastProbeTime lastTransitionTime message observedGeneration reason status type
HostIP: ip
PodIP: ip
ContainerStatus: allocatedResources allocatedResourcesStatus:ResourceStatus containerID image
  imageID lastState:ContainerState name ready resources:ResourceRequirements restartCount started
  state:ContainerState stopSignal user:ContainerUser volumeMounts:VolumeMountStatus
PodResourceClaimStatus: name resourceClaimName
PodExtendedResourceClaimStatus: requestMappings:ContainerExtendedResourceRequest resourceClaimName
Taint: effect key timeAdded value
NodeConfigSource: configMap:ConfigMapNodeConfigSource
NodeCondition: lastHeartbeatTime lastTransitionTime message reason status type
NodeAddress: address type
NodeDaemonEndpoints: kubeletEndpoint:DaemonEndpoint
NodeSystemInfo: architecture bootID containerRuntimeVersion kernelVersion kubeProxyVersion
  kubeletVersion machineID operatingSystem osImage swap:NodeSwapStatus systemUUID
ContainerImage: names sizeBytes
AttachedVolume: devicePath name
NodeConfigStatus: active:NodeConfigSource assigned:NodeConfigSource error
  lastKnownGood:NodeConfigSource
NodeRuntimeHandler: features:NodeRuntimeHandlerFeatures name
NodeFeatures: supplementalGroupsPolicy
HostPathVolumeSource: path type
EmptyDirVolumeSource: medium sizeLimit
GCEPersistentDiskVolumeSource: fsType partition pdName readOnly
AWSElasticBlockStoreVolumeSource: fsType partition readOnly volumeID
GitRepoVolumeSource: directory repository revision
SecretVolumeSource: defaultMode items:KeyToPath optional secretName
NFSVolumeSource: path readOnly server
ISCSIVolumeSource: chapAuthDiscovery chapAuthSession fsType initiatorName iqn iscsiInterface lun
  portals readOnly secretRef:LocalObjectReference targetPortal
GlusterfsVolumeSource: endpoints path readOnly
PersistentVolumeClaimVolumeSource: claimName readOnly
RBDVolumeSource: fsType image keyring monitors pool readOnly secretRef:LocalObjectReference user
FlexVolumeSource: driver fsType options readOnly secretRef:LocalObjectReference
CinderVolumeSource: fsType readOnly secretRef:LocalObjectReference volumeID
CephFSVolumeSource: monitors path readOnly secretFile secretRef:LocalObjectReference user
FlockerVolumeSource: datasetName datasetUUID
DownwardAPIVolumeSource: defaultMode items:DownwardAPIVolumeFile
FCVolumeSource: fsType lun readOnly targetWWNs wwids
AzureFileVolumeSource: readOnly secretName shareName
ConfigMapVolumeSource: defaultMode items:KeyToPath name optional
VsphereVirtualDiskVolumeSource: fsType storagePolicyID storagePolicyName volumePath
QuobyteVolumeSource: group readOnly registry tenant user volume
AzureDiskVolumeSource: cachingMode diskName diskURI fsType kind readOnly
PhotonPersistentDiskVolumeSource: fsType pdID
ProjectedVolumeSource: defaultMode sources:VolumeProjection
PortworxVolumeSource: fsType readOnly volumeID
ScaleIOVolumeSource: fsType gateway protectionDomain readOnly secretRef:LocalObjectReference
  sslEnabled storageMode storagePool system volumeName
StorageOSVolumeSource: fsType readOnly secretRef:LocalObjectReference volumeName volumeNamespace
CSIVolumeSource: driver fsType nodePublishSecretRef:LocalObjectReference readOnly volumeAttributes
EphemeralVolumeSource: volumeClaimTemplate:PersistentVolumeClaimTemplate
ImageVolumeSource: pullPolicy reference
ContainerPort: containerPort hostIP hostPort name protocol
EnvFromSource: configMapRef:ConfigMapEnvSource prefix secretRef:SecretEnvSource
EnvVar: name value valueFrom:EnvVarSource
ContainerResizePolicy: resourceName restartPolicy
ContainerRestartRule: action exitCodes:ContainerRestartRuleOnExitCodes
VolumeMount: mountPath mountPropagation name readOnly recursiveReadOnly subPath subPathExpr
VolumeDevice: devicePath name
Probe: exec:ExecAction failureThreshold grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds
  periodSeconds successThreshold tcpSocket:TCPSocketAction terminationGracePeriodSeconds
  timeoutSeconds
Lifecycle: postStart:LifecycleHandler preStop:LifecycleHandler stopSignal
SecurityContext: allowPrivilegeEscalation appArmorProfile:AppArmorProfile
  capabilities:Capabilities privileged procMount readOnlyRootFilesystem runAsGroup runAsNonRoot
  runAsUser seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile
  windowsOptions:WindowsSecurityContextOptions
SELinuxOptions: level role type user
WindowsSecurityContextOptions: gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName
Sysctl: name value
SeccompProfile: localhostProfile type
AppArmorProfile: localhostProfile type
NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
PodAffinity: preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm
PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm
PodDNSConfigOption: name value
LabelSelector: matchExpressions:LabelSelectorRequirement matchLabels
ResourceClaim: name request
ContainerState: running:ContainerStateRunning terminated:ContainerStateTerminated
  waiting:ContainerStateWaiting
VolumeMountStatus: mountPath name readOnly recursiveReadOnly
ContainerUser: linux:LinuxContainerUser
ResourceStatus: name resources:ResourceHealth
ContainerExtendedResourceRequest: containerName requestName resourceName
ConfigMapNodeConfigSource: kubeletConfigKey name namespace resourceVersion uid
DaemonEndpoint: Port
NodeSwapStatus: capacity
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts userNamespaces
KeyToPath: key mode path
DownwardAPIVolumeFile: fieldRef:ObjectFieldSelector mode path
  resourceFieldRef:ResourceFieldSelector
VolumeProjection: clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection
  downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection
  secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection
PersistentVolumeClaimTemplate: metadata:ObjectMeta spec:PersistentVolumeClaimSpec
ConfigMapEnvSource: name optional
SecretEnvSource: name optional
EnvVarSource: configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector
  fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector
ContainerRestartRuleOnExitCodes: operator values
ExecAction: command
HTTPGetAction: host httpHeaders:HTTPHeader path port scheme
TCPSocketAction: host port
GRPCAction: port service
LifecycleHandler: exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction
  tcpSocket:TCPSocketAction
Capabilities: add drop
NodeSelector: nodeSelectorTerms:NodeSelectorTerm
PreferredSchedulingTerm: preference:NodeSelectorTerm weight
PodAffinityTerm: labelSelector:LabelSelector matchLabelKeys mismatchLabelKeys
  namespaceSelector:LabelSelector namespaces topologyKey
WeightedPodAffinityTerm: podAffinityTerm:PodAffinityTerm weight
LabelSelectorRequirement: key operator values
ContainerStateWaiting: message reason
ContainerStateRunning: startedAt
ContainerStateTerminated: containerID exitCode finishedAt message reason signal startedAt
LinuxContainerUser: gid supplementalGroups uid
ResourceHealth: health resourceID
ObjectFieldSelector: apiVersion fieldPath
ResourceFieldSelector: containerName divisor resource
SecretProjection: items:KeyToPath name optional
DownwardAPIProjection: items:DownwardAPIVolumeFile
ConfigMapProjection: items:KeyToPath name optional
ServiceAccountTokenProjection: audience expirationSeconds path
ClusterTrustBundleProjection: labelSelector:LabelSelector name optional path signerName
PodCertificateProjection: certificateChainPath credentialBundlePath keyPath keyType
  maxExpirationSeconds signerName
PersistentVolumeClaimSpec: accessModes dataSource:TypedLocalObjectReference
  dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector
  storageClassName volumeAttributesClassName volumeMode volumeName
ConfigMapKeySelector: key name optional
SecretKeySelector: key name optional
FileKeySelector: key optional path volumeName
HTTPHeader: name value
SleepAction: seconds
NodeSelectorTerm: matchExpressions:NodeSelectorRequirement matchFields:NodeSelectorRequirement
VolumeResourceRequirements: limits requests
TypedLocalObjectReference: apiGroup kind name
TypedObjectReference: apiGroup kind name namespace
NodeSelectorRequirement: key operator values
)";

constexpr bool is_blank(char c) { return c == ' ' || c == '\n'; }

// Calls visit(word) for each word of the table.
template <typename Visit>
constexpr void for_each_word(Visit visit) {
  for (size_t at = 0; at < kTable.size();) {
    if (is_blank(kTable[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (!is_blank(kTable[at])) ++at;  // the table ends in a blank
    visit(kTable.substr(begin, at - begin));
  }
}

constexpr bool is_type(std::string_view word) { return word.back() == ':'; }

constexpr size_t count_words(bool types) {
  size_t count = 0;
  for_each_word([&](std::string_view word) { count += is_type(word) == types ? 1u : 0u; });
  return count;
}

constexpr size_t kTypes = count_words(true);
constexpr size_t kFields = kTypes + count_words(false);
static_assert(kTable.size() < UINT16_MAX && kFields < UINT16_MAX);

struct FieldTables {
  std::array<ApiFields::Field, kTypes> types;
  std::array<uint16_t, kTypes + 1> begins;
  std::array<ApiFields::Field, kFields> fields;
};

constexpr ApiFields::Field entry(std::string_view name, uint16_t type = ApiFields::kOpaque) {
  return {static_cast<uint16_t>(name.data() - kTable.data()), static_cast<uint16_t>(name.size()),
          type};
}

// A name that no type has does not compile: the index is behind the array.
constexpr uint16_t find_type(const std::array<ApiFields::Field, kTypes>& types,
                             std::string_view name) {
  uint16_t type = 0;
  while (kTable.substr(types[type].name, types[type].name_size) != name) ++type;
  return type;
}

constexpr FieldTables build() {
  FieldTables made{};
  size_t types = 0, fields = 0;
  for_each_word([&](std::string_view word) {
    if (is_type(word)) made.types[types++] = entry(word.substr(0, word.size() - 1));
  });
  types = 0;
  for_each_word([&](std::string_view word) {
    if (is_type(word)) {
      made.begins[types++] = static_cast<uint16_t>(fields);
      made.fields[fields++] = {};
      return;
    }
    const size_t colon = word.find(':');
    made.fields[fields++] =
        colon == word.npos
            ? entry(word)
            : entry(word.substr(0, colon), find_type(made.types, word.substr(colon + 1)));
  });
  made.begins[types] = static_cast<uint16_t>(fields);
  return made;
}

constexpr FieldTables kTables = build();

}  // namespace

std::optional<uint16_t> ApiFields::type(std::string_view name) const {
  for (uint16_t type = 0; type < types_.size(); ++type)
    if (type_name(type) == name) return type;
  return std::nullopt;
}

const ApiFields& ApiFields::get() {
  static constexpr ApiFields fields(kTable.data(), kTables.types, kTables.begins, kTables.fields);
  return fields;
}

}  // namespace berth::ingest
