#include "loadgen/workload/fields/pod_fields.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

struct Type;

struct Field {
  std::string_view name;
  const Type* type = nullptr;  // type of the object or of the list's elements; null: not checked
};

struct Type {
  std::span<const Field> fields;
};

// Source: k8s.io/api core/v1 types.go and apimachinery meta/v1 types.go, of v1.34.
constexpr Field kResourcesFields[] = {{"claims"}, {"limits"}, {"requests"}};
constexpr Type kResources{kResourcesFields};

constexpr Field kPortFields[] = {
    {"containerPort"}, {"hostIP"}, {"hostPort"}, {"name"}, {"protocol"}};
constexpr Type kPort{kPortFields};

constexpr Field kContainerFields[] = {{"args"},
                                      {"command"},
                                      {"env"},
                                      {"envFrom"},
                                      {"image"},
                                      {"imagePullPolicy"},
                                      {"lifecycle"},
                                      {"livenessProbe"},
                                      {"name"},
                                      {"ports", &kPort},
                                      {"readinessProbe"},
                                      {"resizePolicy"},
                                      {"resources", &kResources},
                                      {"restartPolicy"},
                                      {"restartPolicyRules"},
                                      {"securityContext"},
                                      {"startupProbe"},
                                      {"stdin"},
                                      {"stdinOnce"},
                                      {"terminationMessagePath"},
                                      {"terminationMessagePolicy"},
                                      {"tty"},
                                      {"volumeDevices"},
                                      {"volumeMounts"},
                                      {"workingDir"}};
constexpr Type kContainer{kContainerFields};

constexpr Field kRequirementFields[] = {{"key"}, {"operator"}, {"values"}};
constexpr Type kRequirement{kRequirementFields};
constexpr Field kLabelSelectorFields[] = {{"matchExpressions", &kRequirement}, {"matchLabels"}};
constexpr Type kLabelSelector{kLabelSelectorFields};

constexpr Field kNodeTermFields[] = {{"matchExpressions", &kRequirement},
                                     {"matchFields", &kRequirement}};
constexpr Type kNodeTerm{kNodeTermFields};
constexpr Field kNodeSelectorFields[] = {{"nodeSelectorTerms", &kNodeTerm}};
constexpr Type kNodeSelector{kNodeSelectorFields};
constexpr Field kPreferredNodeFields[] = {{"preference", &kNodeTerm}, {"weight"}};
constexpr Type kPreferredNode{kPreferredNodeFields};

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

constexpr Field kNodeAffinityFields[] = {{kPreferred, &kPreferredNode},
                                         {kRequired, &kNodeSelector}};
constexpr Type kNodeAffinity{kNodeAffinityFields};

constexpr Field kPodTermFields[] = {
    {"labelSelector", &kLabelSelector},     {"matchLabelKeys"}, {"mismatchLabelKeys"},
    {"namespaceSelector", &kLabelSelector}, {"namespaces"},     {"topologyKey"}};
constexpr Type kPodTerm{kPodTermFields};
constexpr Field kWeightedPodTermFields[] = {{"podAffinityTerm", &kPodTerm}, {"weight"}};
constexpr Type kWeightedPodTerm{kWeightedPodTermFields};
constexpr Field kPodAffinityFields[] = {{kPreferred, &kWeightedPodTerm}, {kRequired, &kPodTerm}};
constexpr Type kPodAffinity{kPodAffinityFields};

constexpr Field kAffinityFields[] = {{"nodeAffinity", &kNodeAffinity},
                                     {"podAffinity", &kPodAffinity},
                                     {"podAntiAffinity", &kPodAffinity}};
constexpr Type kAffinity{kAffinityFields};

constexpr Field kTolerationFields[] = {
    {"effect"}, {"key"}, {"operator"}, {"tolerationSeconds"}, {"value"}};
constexpr Type kToleration{kTolerationFields};

constexpr Field kSpreadFields[] = {{"labelSelector", &kLabelSelector},
                                   {"matchLabelKeys"},
                                   {"maxSkew"},
                                   {"minDomains"},
                                   {"nodeAffinityPolicy"},
                                   {"nodeTaintsPolicy"},
                                   {"topologyKey"},
                                   {"whenUnsatisfiable"}};
constexpr Type kSpread{kSpreadFields};

constexpr Field kGateFields[] = {{"name"}};
constexpr Type kGate{kGateFields};

constexpr Field kSpecFields[] = {{"activeDeadlineSeconds"},
                                 {"affinity", &kAffinity},
                                 {"automountServiceAccountToken"},
                                 {"containers", &kContainer},
                                 {"dnsConfig"},
                                 {"dnsPolicy"},
                                 {"enableServiceLinks"},
                                 {"ephemeralContainers"},
                                 {"hostAliases"},
                                 {"hostIPC"},
                                 {"hostNetwork"},
                                 {"hostPID"},
                                 {"hostUsers"},
                                 {"hostname"},
                                 {"hostnameOverride"},
                                 {"imagePullSecrets"},
                                 {"initContainers", &kContainer},
                                 {"nodeName"},
                                 {"nodeSelector"},
                                 {"os"},
                                 {"overhead"},
                                 {"preemptionPolicy"},
                                 {"priority"},
                                 {"priorityClassName"},
                                 {"readinessGates"},
                                 {"resourceClaims"},
                                 {"resources", &kResources},
                                 {"restartPolicy"},
                                 {"runtimeClassName"},
                                 {"schedulerName"},
                                 {"schedulingGates", &kGate},
                                 {"securityContext"},
                                 {"serviceAccount"},
                                 {"serviceAccountName"},
                                 {"setHostnameAsFQDN"},
                                 {"shareProcessNamespace"},
                                 {"subdomain"},
                                 {"terminationGracePeriodSeconds"},
                                 {"tolerations", &kToleration},
                                 {"topologySpreadConstraints", &kSpread},
                                 {"volumes"}};
constexpr Type kSpec{kSpecFields};

constexpr Field kMetadataFields[] = {{"annotations"},
                                     {"creationTimestamp"},
                                     {"deletionGracePeriodSeconds"},
                                     {"deletionTimestamp"},
                                     {"finalizers"},
                                     {"generateName"},
                                     {"generation"},
                                     {"labels"},
                                     {"managedFields"},
                                     {"name"},
                                     {"namespace"},
                                     {"ownerReferences"},
                                     {"resourceVersion"},
                                     {"selfLink"},
                                     {"uid"}};
constexpr Type kMetadata{kMetadataFields};

constexpr Field kTemplateFields[] = {{"metadata", &kMetadata}, {"spec", &kSpec}};
constexpr Type kTemplate{kTemplateFields};

void collect(Value value, const Type& type, std::vector<Value>& unknown) {
  for (const Value element : value.elements()) collect(element, type, unknown);
  for (const document::Member member : value.members()) {
    const auto field = std::ranges::find(type.fields, member.key, &Field::name);
    if (field == type.fields.end())
      unknown.push_back(member.key_value);
    else if (field->type != nullptr)
      collect(member.value, *field->type, unknown);
  }
}

}  // namespace

std::vector<Value> unknown_pod_fields(Value pod_template) {
  std::vector<Value> unknown;
  if (pod_template.is(Kind::kObject)) collect(pod_template, kTemplate, unknown);
  return unknown;
}

}  // namespace berth::loadgen
