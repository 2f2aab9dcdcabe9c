// Invalid workload files and the first fault of each.

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

const std::string kTemplateText =
    "templates: [{name: a, template: {spec: {containers: [{name: c}]}}}]\n";

const Wrong kWrong[] = {
    {"UnknownField", "clutser: {}\n",
     "4:1: clutser: there is no field \"clutser\" here; there are apiVersion, arrivals, churn, "
     "cluster, description, duration, kind, kubelets, name, namespaces, owners, parameters, "
     "placed, storage, "
     "templates, tick, timed"},
    {"TypeOfField", "cluster: 5\n", "4:10: cluster: expected an object, found 5"},
    {"Count", "cluster: {nodes: many}\n",
     "4:18: cluster.nodes: expected a whole number from 0 to 10000000, found \"many\""},
    {"TooMany", "cluster: {nodes: 20000000}\n",
     "4:18: cluster.nodes: expected a whole number from 0 to 10000000, found 20000000", false},
    {"NoParameter", "cluster: {nodes: $n}\n",
     "4:18: cluster.nodes: there is no parameter \"n\"; `parameters` has none", false},
    {"UnusedParameter", "parameters: {many: 5}\n",
     "4:14: parameters.many: the parameter \"many\" is used nowhere", false},
    {"NoShapes", "cluster: {nodes: 5}\n",
     "4:10: cluster.shapes: `nodes` are drawn among the shapes with a weight, and there is none",
     false},
    {"Quantity", "cluster: {shapes: [{name: a, allocatable: {cpu: lots}}]}\n",
     "4:49: cluster.shapes[0].allocatable.cpu: expected a quantity such as 500m, 2 or 4Gi, found "
     "the string \"lots\"",
     false},
    {"Name", "namespaces: [{name: Big}]\n",
     "4:21: namespaces[0].name: expected a name of at most 40 small letters, digits and -, with a "
     "letter or digit at both ends, found \"Big\""},
    {"NoParameterInAllocatable", "cluster: {shapes: [{name: a, allocatable: {cpu: $cpus}}]}\n",
     "4:49: cluster.shapes[0].allocatable.cpu: there is no parameter \"cpus\"; `parameters` has "
     "none",
     false},
    {"FieldOfPods",
     "templates: [{name: a, template: {spec: {nodeSelecter: {a: b}, containers: [{name: c}]}}}]\n",
     "4:41: templates[0].template.spec.nodeSelecter: a pod template has no field \"nodeSelecter\" "
     "here",
     false},
    {"FieldWithinPods",
     "templates: [{name: a, template: {spec: {containers: [{name: c, resources: {request: "
     "{}}}]}}}]\n",
     "4:76: templates[0].template.spec.containers[0].resources.request: a pod template has no "
     "field "
     "\"request\" here",
     false},
    {"TwoNamespaces", "namespaces: [{name: a}, {name: a}]\n",
     "4:25: namespaces[1]: there is a namespace \"a\" already", false},
    {"NumberedNamespace", "namespaces: [{name: shop, count: 5}, {name: shop-4}]\n",
     "4:38: namespaces[1]: there is a namespace \"shop-4\" already", false},
    {"NamespacesOfThatNumber",
     "namespaces: [{name: shop-2}, {name: shop-1}, {name: shop, count: 2}]\n",
     "4:46: namespaces[2]: there is a namespace \"shop-1\" already", false},
    {"NamespaceLikeOneThatComes",
     "namespaces: [{name: churn-0, count: 5}]\nduration: 9s\n"
     "churn: {namespaces: [{every: 1s, lasting: 1s}]}\n",
     "6:21: churn.namespaces: namespaces that come are called churn-0-0, churn-0-1 and so on, and "
     "there is a namespace \"churn-0-0\" already",
     false},
    {"NumberedOwner",
     kTemplateText + "owners:\n- {kind: Job, name: web, template: a, replicas: 1, count: 12}\n"
                     "- {kind: Job, name: web-11, template: a, replicas: 1}\n",
     "7:3: owners[1]: there is an owner \"web-11\" already", false},
    {"OwnerLikeAJob",
     kTemplateText + "owners: [{kind: Job, name: a-0000012, template: a, replicas: 1}]\n",
     "5:10: owners[0]: a Job that arrives from the template \"a\" would have the same name", false},
    {"PlacedNames",
     "templates:\n- {name: a, template: {spec: {containers: [{name: c}]}}}\n"
     "- {name: a-placed, template: {spec: {containers: [{name: c}]}}}\nplaced: [{perNode: 1}]\n",
     "7:10: placed[0]: placed pods of the template \"a\" are called a-placed-0000000 and so on, as "
     "pods of the template \"a-placed\" are",
     false},
    {"NoTemplate", "templates: [{name: a}]\n",
     "4:13: templates[0].template: expected a pod template: {metadata: {labels}, spec: "
     "{containers}}"},
    {"FieldOfPod",
     "templates:\n- name: a\n  template: {spec: {containers: [{name: c, image: 5}]}}\n",
     "6:51: templates[0].template.spec.containers[0].image: expected a string, found the number 5 "
     "(put it in quotes)",
     false},
    {"Spread",
     "templates:\n- name: a\n  template:\n    spec:\n      topologySpreadConstraints:\n"
     "      - {maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule}\n",
     "9:19: templates[0].template.spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: "
     "must be greater than zero",
     false},
    {"Volume",
     "templates:\n- name: a\n  template:\n    spec:\n      volumes:\n"
     "      - {name: v, persistentVolumeClaim: {claimName: c}}\n",
     "9:19: templates[0].template.spec.volumes[0].persistentVolumeClaim: pods of a template cannot "
     "share volumes of kind persistentVolumeClaim: leave the volume out, and give the template "
     "`claims`",
     false},
    {"ClaimsWithoutSize", "templates: [{name: a, template: {}, claims: {share: 0.5}}]\n",
     "4:45: templates[0].claims.size: is missing: expected such as 10Gi, or a distribution"},
    {"ClaimsOfNoKind",
     "templates: [{name: a, template: {}, claims: {size: 1Gi, kinds: {bound: 0}}}]\n",
     "4:64: templates[0].claims.kinds: expected a weight above 0 for one of bound, delayed, "
     "immediate",
     false},
    {"ClaimsOfAnotherKind",
     "templates: [{name: a, template: {}, claims: {size: 1Gi, kinds: {bound: 1, late: 1}}}]\n",
     "4:75: templates[0].claims.kinds.late: there is no field \"late\" here; there are bound, "
     "delayed, immediate"},
    {"ManyClaims", "templates: [{name: a, template: {}, claims: {size: 1Gi, each: 17}}]\n",
     "4:63: templates[0].claims.each: expected a whole number from 1 to 16, found 17", false},
    {"StorageForNobody", kTemplateText + "storage: {perNode: 3}\n",
     "5:10: storage: no template has `claims`, which need it", false},
    {"Topology",
     "storage: {topology: rack}\ntemplates: [{name: a, template: {}, claims: {size: 1Gi}}]\n",
     "4:21: storage.topology: expected zone, node or all, found \"rack\""},
    {"ClaimsOfADaemonSet",
     "templates: [{name: a, template: {}, claims: {size: 1Gi}}]\n"
     "owners: [{kind: DaemonSet, name: a, template: a}]\n",
     "5:10: owners[0]: pods of a DaemonSet have no claims: give it a template without `claims`",
     false},
    {"PriorityClass", "templates: [{name: a, template: {spec: {priorityClassName: high}}}]\n",
     "4:60: templates[0].template.spec.priorityClassName: there are no PriorityClasses: give the "
     "number itself, as `priority`",
     false},
    {"Distribution", kTemplateText + "arrivals: [{atOnce: {}, pods: 1, lifetime: {gauss: 5s}}]\n",
     "5:45: arrivals[0].lifetime.gauss: there is no field \"gauss\" here; there are empirical, "
     "exponential, logNormal, max, min, normal, pareto, step, uniform"},
    {"TwoDistributions",
     kTemplateText + "arrivals: [{atOnce: {}, pods: 1, lifetime: {exponential: {mean: 5s}, pareto: "
                     "{min: 1s, alpha: 1}}}]\n",
     "5:44: arrivals[0].lifetime: a distribution is an amount, or one of uniform, normal, "
     "logNormal, pareto, exponential, empirical"},
    {"Duration", kTemplateText + "arrivals: [{atOnce: {}, pods: 1, lifetime: 5}]\n",
     "5:44: arrivals[0].lifetime: expected a time such as 250ms or 1h30m of 0ns or more, found 5",
     false},
    {"NoArrivalKind", kTemplateText + "arrivals: [{pods: 1}]\n",
     "5:12: arrivals[0]: expected one of atOnce, constant, poisson, bursts, daily, closedLoop and "
     "replay, found 0 of them"},
    {"NeverEnds", kTemplateText + "arrivals: [{poisson: {rate: 5}}]\n",
     "1:1: : this workload never ends: give it a `duration`, or an arrival `pods` or a `duration`",
     false},
    {"Rate", kTemplateText + "arrivals: [{poisson: {rate: 0}, pods: 1}]\n",
     "5:29: arrivals[0].poisson.rate: expected a number from 1e-06 to 100000000, found 0", false},
    {"OwnerKind", kTemplateText + "owners: [{kind: CronJob, name: a, template: a, replicas: 1}]\n",
     "5:17: owners[0].kind: expected Deployment, ReplicaSet, ReplicationController, StatefulSet, "
     "DaemonSet or Job, found \"CronJob\""},
    {"OwnerTemplate", kTemplateText + "owners: [{kind: Job, name: a, template: b, replicas: 1}]\n",
     "5:41: owners[0].template: expected the name of an entry of `templates`, found \"b\"", false},
    {"ClosedLifetime",
     kTemplateText + "arrivals: [{closedLoop: {outstanding: 5}, pods: 9, lifetime: 1s}]\n",
     "5:62: arrivals[0].lifetime: a closed loop has no clock that a lifetime could go by", false},
    {"TimesOfAClosedLoop",
     "timed: true\n" + kTemplateText + "arrivals: [{closedLoop: {outstanding: 5}, pods: 9}]\n",
     "4:8: timed: a closed loop has no times that a stream could tell", false},
    {"OptionsOfAnOutage",
     "duration: 9s\ncluster: {nodes: 1, shapes: [{name: a, allocatable: {cpu: 1}}]}\n"
     "churn: {outages: [{every: 1s, lasting: 1s, options: --force}]}\n",
     "6:44: churn.outages[0].options: there is no field \"options\" here; there are every, "
     "lasting, shapes"},
    {"ManifestThatScales",
     kTemplateText + "duration: 9s\nowners: [{kind: Job, name: b, template: a, replicas: 1, "
                     "manifest: true, lifetime: 3s}]\n",
     "6:10: owners[0]: an owner with `manifest` has neither `scale`, `lifetime`, `measured` nor a "
     "template with `claims`",
     false},
    {"KubeletOfAnotherKind", "kubelets: [{apiVersion: v1, kind: Node}]\n",
     "4:12: kubelets[0]: expected an object with `apiVersion: kubelet.config.k8s.io/v1beta1` and "
     "`kind: KubeletConfiguration`",
     false},
    {"UsageWithoutMemory",
     "templates: [{name: a, template: {}, usage: {every: 30s, reports: 2}}]\n",
     "4:44: templates[0].usage.memory: is missing: expected such as 200Mi"},
    {"UsageOfPodsOfJobs",
     "templates: [{name: a, template: {}, usage: {every: 30s, reports: 2, memory: 1}}]\n"
     "arrivals: [{atOnce: {}, pods: 2, jobs: {pods: 2}}]\n",
     "5:12: arrivals[0]: pods of the template \"a\" have `usage`: they arrive one by one, without "
     "an owner or a Job",
     false},
    {"KeysOfSinglePods",
     "templates:\n- name: a\n  template:\n    spec:\n      affinity: {podAffinity: "
     "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {}, "
     "matchLabelKeys: [job-name]}]}}\n",
     "7:5: templates[0].template: matchLabelKeys and mismatchLabelKeys cannot name labels that "
     "differ from pod to pod (apps.kubernetes.io/pod-index, batch.kubernetes.io/job-name, "
     "job-name, statefulset.kubernetes.io/pod-name)",
     false},
};

}  // namespace

std::span<const Wrong> wrong_workloads() { return kWrong; }

}  // namespace berth::loadgen
