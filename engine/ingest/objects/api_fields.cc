#include "engine/ingest/objects/api_fields.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::ingest {
namespace {

// One type per entry: "Type: field field:TypeOfItsValue ...". A line that begins with a blank
// continues the entry. Fields are sorted. Contains all types that are reachable from Pod and Node.
// Source: the json tags in k8s.io/api v0.34.1, core/v1/types.go, and k8s.io/apimachinery v0.34.1,
// meta/v1/types.go.
constexpr std::string_view kTable = R"(
Pod: apiVersion kind metadata:ObjectMeta spec:PodSpec status:PodStatus
Node: apiVersion kind metadata:ObjectMeta spec:NodeSpec status:NodeStatus
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
PodStatus: conditions:PodCondition containerStatuses:ContainerStatus
  ephemeralContainerStatuses:ContainerStatus
  extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP hostIPs:HostIP
  initContainerStatuses:ContainerStatus message nominatedNodeName observedGeneration phase podIP
  podIPs:PodIP qosClass reason resize resourceClaimStatuses:PodResourceClaimStatus startTime
NodeSpec: configSource:NodeConfigSource externalID podCIDR podCIDRs providerID taints:Taint
  unschedulable
NodeStatus: addresses:NodeAddress allocatable capacity conditions:NodeCondition
  config:NodeConfigStatus daemonEndpoints:NodeDaemonEndpoints features:NodeFeatures
  images:ContainerImage nodeInfo:NodeSystemInfo phase runtimeHandlers:NodeRuntimeHandler
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

constexpr std::string_view kBlanks = " \n";

// Removes the first word of the text and returns it; empty at the end of the text.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

ApiFields::ApiFields() {
  std::string_view text = kTable;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text))
    if (word.ends_with(':')) names_.push_back(word.substr(0, word.size() - 1));
  text = kTable;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    const size_t colon = word.find(':');
    if (colon == word.size() - 1) {
      begins_.push_back(static_cast<uint16_t>(fields_.size()));
      fields_.push_back({});
    } else if (colon == word.npos) {
      fields_.push_back({word, kOpaque});
    } else {
      fields_.push_back({word.substr(0, colon), type(word.substr(colon + 1))});
    }
  }
  begins_.push_back(static_cast<uint16_t>(fields_.size()));
}

uint16_t ApiFields::type(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  BERTH_ASSERT(found != names_.end());
  return static_cast<uint16_t>(found - names_.begin());
}

const ApiFields& ApiFields::get() {
  static const ApiFields fields;
  return fields;
}

}  // namespace berth::ingest
