#include "engine/config/versions/former_names.h"

namespace berth::config {
namespace {

constexpr std::string_view kLeastAllocated =
    "the plugin NodeResourcesFit at score, whose default scoringStrategy is LeastAllocated";
constexpr std::string_view kCapacityRatio =
    "the plugin NodeResourcesFit at score with scoringStrategy: {type: RequestedToCapacityRatio}";
constexpr std::string_view kSpreadByDefault =
    "the plugin PodTopologySpread at score with the argument defaultingType: System, its default";
constexpr std::string_view kSpreadByLabel =
    "the plugin PodTopologySpread with the argument defaultConstraints";
constexpr std::string_view kAffinityOfPods =
    "the plugin InterPodAffinity, with podAffinity in the pods";
constexpr std::string_view kRequiredLabels =
    "the plugin NodeAffinity with the argument addedAffinity, where required terms ask for a label "
    "by Exists or DoesNotExist";
constexpr std::string_view kPreferredLabels =
    "the plugin NodeAffinity with the argument addedAffinity, where preferred terms ask for a "
    "label by Exists or DoesNotExist";

// Of kube-scheduler v1.22, the last release that read a Policy.
constexpr FormerName kPredicates[] = {
    {"CheckNodeUnschedulable", "the plugin NodeUnschedulable"},
    {"GeneralPredicates", "the plugins NodeResourcesFit, NodeName, NodePorts and NodeAffinity"},
    {"HostName", "the plugin NodeName"},
    {"PodFitsHostPorts", "the plugin NodePorts"},
    {"PodFitsPorts", "the plugin NodePorts"},
    {"MatchNodeSelector", "the plugin NodeAffinity"},
    {"PodFitsResources", "the plugin NodeResourcesFit"},
    {"NoDiskConflict", "the plugin VolumeRestrictions"},
    {"PodToleratesNodeTaints", "the plugin TaintToleration"},
    {"CheckNodeLabelPresence", kRequiredLabels},
    {"CheckServiceAffinity", kAffinityOfPods},
    {"MaxEBSVolumeCount", "the plugin NodeVolumeLimits"},
    {"MaxGCEPDVolumeCount", "the plugin NodeVolumeLimits"},
    {"MaxCSIVolumeCountPred", "the plugin NodeVolumeLimits"},
    {"MaxAzureDiskVolumeCount", "the plugin NodeVolumeLimits"},
    {"MaxCinderVolumeCount", "the plugin NodeVolumeLimits"},
    {"CheckVolumeBinding", "the plugin VolumeBinding"},
    {"NoVolumeZoneConflict", "the plugin VolumeZone"},
    {"EvenPodsSpread", "the plugin PodTopologySpread"},
    {"MatchInterPodAffinity", "the plugin InterPodAffinity"},
};

constexpr FormerName kPriorities[] = {
    {"EqualPriority", "no plugin at score (all nodes are equal)"},
    {"MostRequestedPriority",
     "the plugin NodeResourcesFit at score with scoringStrategy: {type: MostAllocated}"},
    {"RequestedToCapacityRatioPriority", kCapacityRatio},
    {"SelectorSpreadPriority", kSpreadByDefault},
    {"ServiceSpreadingPriority", kSpreadByDefault},
    {"InterPodAffinityPriority", "the plugin InterPodAffinity at score"},
    {"LeastRequestedPriority", kLeastAllocated},
    {"BalancedResourceAllocation", "the plugin NodeResourcesBalancedAllocation at score"},
    {"NodePreferAvoidPodsPriority",
     "taints on the nodes and the plugin TaintToleration at score, or the former plugin "
     "NodePreferAvoidPods"},
    {"NodeAffinityPriority", "the plugin NodeAffinity at score"},
    {"TaintTolerationPriority", "the plugin TaintToleration at score"},
    {"ImageLocalityPriority", "the plugin ImageLocality at score"},
    {"EvenPodsSpreadPriority", "the plugin PodTopologySpread at score"},
    {"NodeLabel", kPreferredLabels},
    {"ServiceAffinity", kSpreadByLabel},
    {"RequestedToCapacityRatio", kCapacityRatio},
};

constexpr FormerArgument kPredicateArguments[] = {
    {"serviceAffinity", kAffinityOfPods},
    {"labelsPresence", kRequiredLabels},
};

constexpr FormerArgument kPriorityArguments[] = {
    {"serviceAntiAffinity", kSpreadByLabel},
    {"labelPreference", kPreferredLabels},
    {"requestedToCapacityRatioArguments", kCapacityRatio},
};

// Of v1alpha1, v1alpha2 and v1beta1.
constexpr FormerField kConfigurationFields[] = {
    {"schedulerName", "write schedulerName in profiles[0]"},
    {"plugins", "write plugins in profiles[0]"},
    {"pluginConfig", "write pluginConfig in profiles[0]"},
    {"algorithmSource.provider",
     "leave it out: plugins of a profile say what runs; for ClusterAutoscalerProvider write "
     "scoringStrategy: {type: MostAllocated} in the arguments of NodeResourcesFit"},
    {"algorithmSource.policy",
     "write the plugins of the policy in profiles[0]; berth config validate names them for a file "
     "with the policy"},
    {"hardPodAffinitySymmetricWeight",
     "write hardPodAffinityWeight in the arguments of InterPodAffinity"},
    {"disablePreemption",
     "if it is true, write plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}} in each "
     "profile"},
    {"bindTimeoutSeconds", "write bindTimeoutSeconds in the arguments of VolumeBinding"},
    {"healthzBindAddress", "leave it out: v1 has no such address"},
    {"metricsBindAddress", "leave it out: v1 has no such address"},
    {"leaderElection.lockObjectNamespace", "write leaderElection.resourceNamespace"},
    {"leaderElection.lockObjectName", "write leaderElection.resourceName"},
    {"plugins.unreserve", "write the plugins at reserve"},
    {"profiles.plugins.unreserve", "write the plugins at reserve"},
};

constexpr FormerField kPolicyFields[] = {
    {"hardPodAffinitySymmetricWeight",
     "write hardPodAffinityWeight in the arguments of InterPodAffinity"},
    {"alwaysCheckAllPredicates",
     "leave it out: the first filter that refuses a node ends its check"},
    {"extenders",
     "write extenders in the KubeSchedulerConfiguration, with enableHTTPS, and httpTimeout as a "
     "text such as 5s"},
};

}  // namespace

std::span<const FormerName> former_predicates() { return kPredicates; }
std::span<const FormerName> former_priorities() { return kPriorities; }
std::span<const FormerArgument> former_predicate_arguments() { return kPredicateArguments; }
std::span<const FormerArgument> former_priority_arguments() { return kPriorityArguments; }
std::span<const FormerField> former_configuration_fields() { return kConfigurationFields; }
std::span<const FormerField> former_policy_fields() { return kPolicyFields; }

}  // namespace berth::config
