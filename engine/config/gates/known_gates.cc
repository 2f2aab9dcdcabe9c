#include "engine/config/gates/known_gates.h"

#include <algorithm>
#include <iterator>

namespace berth::config {
namespace {

// Names, separated by blanks and line ends.
struct Gates {
  KnownGate gate;
  std::string_view names;
};

// Sources: pkg/features, and those of apiserver, apiextensions-apiserver, controller-manager,
// client-go, component-base/{logs,metrics,zpages}.
constexpr Gates kKnown[] = {
    {{true, false}, R"(
    APIResponseCompression APIServerIdentity AggregatedDiscoveryRemoveBetaType
    AllowParsingUserUIDFromCertAuth CPUManagerPolicyBetaOptions ContainerCheckpoint
    ContextualLogging DRAAdminAccess DRAPrioritizedList DRAResourceClaimDeviceStatus
    DRASchedulerFilterTimeout DeclarativeValidation DetectCacheInconsistency
    DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion
    DynamicResourceAllocation ExecProbeTimeout ExternalServiceAccountTokenSigner
    GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority ImageMaximumGCAge
    InOrderInformers InPlacePodVerticalScaling JobManagedBy KubeletFineGrainedAuthz KubeletPSI
    KubeletPodResourcesDynamicResources KubeletPodResourcesGet
    KubeletPodResourcesListUseActivePods KubeletSeparateDiskGC
    KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot LoggingBetaOptions
    MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge
    OpenAPIEnums PodDeletionCost PodLevelResources PodObservedGenerationTracking
    PodReadyToStartContainersCondition PortForwardWebsockets PreferSameTrafficDistribution
    PreventStaticPodAPIReferences ProcMountType ReloadKubeletServerCertificateFile
    RemoteRequestHeaderUID RotateKubeletServerCertificate SELinuxChangePolicy
    SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls SchedulerAsyncPreemption
    SchedulerPopFromBackoffQ ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate
    StorageNamespaceIndex StorageVersionHash
    StructuredAuthenticationConfigurationEgressSelector SupplementalGroupsPolicy
    SystemdWatchdog TokenRequestServiceAccountUIDValidation TopologyManagerPolicyBetaOptions
    TopologyManagerPolicyOptions TranslateStreamCloseWebsocketRequests
    UnauthenticatedHTTP2DOSMitigation UserNamespacesSupport VolumeAttributesClass WatchList
    WindowsGracefulNodeShutdown)"},
    {{false, false}, R"(
    APIServingWithRoutine AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
    AllowOverwriteTerminationGracePeriodSeconds AllowUnsafeMalformedObjectDeletion
    CBORServingAndStorage CPUManagerPolicyAlphaOptions CSIVolumeHealth
    ClearingNominatedNodeNameAfterBinding ClientsAllowCBOR ClientsPreferCBOR
    CloudControllerManagerWebhook ClusterTrustBundle ClusterTrustBundleProjection
    ComponentFlagz ComponentStatusz ConcurrentWatchObjectDecode ContainerRestartRules
    ContainerStopSignals CoordinatedLeaderElection CrossNamespaceVolumeDataSource
    CustomCPUCFSQuotaPeriod DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints
    DRAExtendedResource DRAPartitionableDevices DeclarativeValidationTakeover
    DeploymentReplicaSetTerminatingReplicas EnvFiles EventedPLEG GitRepoVolumeDriver
    HPAConfigurableTolerance HPAScaleToZero HostnameOverride ImageVolume
    InPlacePodVerticalScalingAllocatedStatus InPlacePodVerticalScalingExclusiveCPUs
    InPlacePodVerticalScalingExclusiveMemory InTreePluginPortworxUnregister
    InformerResourceVersion KMSv1 KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages
    KubeletInUserNamespace KubeletRegistrationGetOnExistsOnly
    LocalStorageCapacityIsolationFSQuotaMonitoring LoggingAlphaOptions
    MaxUnavailableStatefulSet MemoryQoS MutableCSINodeAllocatableCount MutatingAdmissionPolicy
    NodeLogQuery NominatedNodeNameForExpectation PodAndContainerStatsFromCRI
    PodCertificateRequest PodLogsQuerySplitStreams PodTopologyLabelsAdmission QOSReserved
    ReduceDefaultCrashLoopBackOffDecay RelaxedServiceNameValidation ResourceHealthStatus
    RuntimeClassInImageCriApi SELinuxMount SeparateCacheWatchRPC StorageCapacityScoring
    StorageVersionAPI StorageVersionMigrator StrictIPCIDRValidation
    TopologyManagerPolicyAlphaOptions UnknownVersionInteroperabilityProxy
    UserNamespacesPodSecurityStandards WatchCacheInitializationPostStartHook WatchListClient
    WindowsCPUAndMemoryAffinity WindowsHostNetwork)"},
    {{true, true}, R"(
    APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
    AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache CPUManagerPolicyOptions
    CRDValidationRatcheting CSIMigrationPortworx ComponentSLIs ConsistentListFromCache
    CronJobsScheduledAnnotation CustomResourceFieldSelectors HonorPVReclaimPolicy
    JobBackoffLimitPerIndex JobPodReplacementPolicy JobSuccessPolicy
    KubeletCgroupDriverFromCRI KubeletTracing LoadBalancerIPMode LogarithmicScaleDown
    MatchLabelKeysInPodAffinity MemoryManager MultiCIDRServiceAllocator NFTablesProxyMode
    NodeInclusionPolicyInPodTopologySpread NodeSwap OrderedNamespaceDeletion PodIndexLabel
    PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodSchedulingReadiness
    ProbeHostPodSecurityStandards RecoverVolumeExpansionFailure RecursiveReadOnlyMounts
    RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation
    ResilientWatchCacheInitialization RetryGenerateName SchedulerQueueingHints
    SeparateTaintEvictionController ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
    ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
    ServiceTrafficDistribution SidecarContainers SizeMemoryBackedVolumes
    StatefulSetAutoDeletePVC StreamingCollectionEncodingToJSON
    StreamingCollectionEncodingToProtobuf StrictCostEnforcementForVAP
    StrictCostEnforcementForWebhooks StructuredAuthenticationConfiguration
    StructuredAuthorizationConfiguration TopologyAwareHints WinDSR WinOverlay)"},
    {{false, true}, R"(
    AllowServiceLBStatusOnNonLB WatchFromStorageWithoutResourceVersion)"},
};

// Sources: pkg/scheduler, plugins/feature.
constexpr std::string_view kRead = R"(
    CSIMigrationPortworx DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions
    DRADeviceTaints DRAExtendedResource DRAPartitionableDevices DRAPrioritizedList
    DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DynamicResourceAllocation
    InPlacePodVerticalScaling MatchLabelKeysInPodTopologySpread
    NodeInclusionPolicyInPodTopologySpread NominatedNodeNameForExpectation PodLevelResources
    SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
    SchedulerQueueingHints SidecarContainers StorageCapacityScoring VolumeAttributesClass)";

// Calls visit(name) for each name.
template <typename Visit>
void for_each_name(std::string_view names, Visit&& visit) {
  constexpr std::string_view kBetween = " \n";
  for (size_t begin = names.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const size_t end = std::min(names.find_first_of(kBetween, begin), names.size());
    visit(names.substr(begin, end - begin));
    begin = names.find_first_not_of(kBetween, end);
  }
}

bool holds(std::string_view names, std::string_view name) {
  bool found = false;
  for_each_name(names, [&](std::string_view one) { found |= one == name; });
  return found;
}

}  // namespace

std::optional<KnownGate> known_gate(std::string_view name) {
  for (const Gates& gates : kKnown)
    if (holds(gates.names, name)) return gates.gate;
  return std::nullopt;
}

bool is_read_by_scheduler(std::string_view name) { return holds(kRead, name); }

std::vector<std::string> known_gate_names() {
  std::vector<std::string> names;
  for (const Gates& gates : kKnown)
    for_each_name(gates.names, [&](std::string_view name) { names.emplace_back(name); });
  return names;
}

}  // namespace berth::config
