#include "engine/config/gates/gate_tables.h"

namespace berth::config {
namespace {

constexpr GatesAlike kKnown1_34[] = {
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

}  // namespace

const GateTable kGates1_34 = {kKnown1_34, R"(
    CSIMigrationPortworx DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions
    DRADeviceTaints DRAExtendedResource DRAPartitionableDevices DRAPrioritizedList
    DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DynamicResourceAllocation
    InPlacePodVerticalScaling MatchLabelKeysInPodTopologySpread
    NodeInclusionPolicyInPodTopologySpread NominatedNodeNameForExpectation PodLevelResources
    SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
    SchedulerQueueingHints SidecarContainers StorageCapacityScoring VolumeAttributesClass)"};

}  // namespace berth::config
