#pragma once

// Helpers for the tests of imports: benchmark definitions and templates as texts, and a load's
// effects as lines.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/document/document.h"
#include "loadgen/scheduler_perf/import_scheduler_perf.h"

namespace berth::loadgen::testing_imports {

using Files = std::map<std::string, std::string>;

// The files that test definitions refer to.
inline const Files& some_files() {
  static const Files files = {
      {"suite/node.yaml",
       "kind: Node\nmetadata: {generateName: node-, labels: {shape: small}}\n"
       "status: {capacity: {cpu: 4, memory: 8Gi, pods: 10}}\n"},
      {"suite/named-node.yaml",
       "kind: Node\nmetadata: {name: \"n{{.Index}}-of-{{.Count}}\"}\n"
       "status: {capacity: {cpu: 4, memory: 8Gi, pods: 10}}\n"},
      {"suite/fixed-node.yaml",
       "kind: Node\nmetadata: {name: fixed}\nstatus: {capacity: {cpu: 4, pods: 10}}\n"},
      {"suite/fixed-any-node.yaml",
       "apiVersion: v1\nkind: Node\nmetadata: {name: fixed}\nstatus: {capacity: {pods: 1}}\n"},
      {"suite/named-any-pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {name: own}\nspec: {containers: [{name: c}]}\n"},
      {"suite/churned-node.yaml",
       "apiVersion: v1\nkind: Node\nmetadata: {generateName: churned-}\n"
       "status: {capacity: {pods: 0}}\n"},
      {"suite/pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {generateName: pod-}\n"
       "spec:\n  terminationGracePeriodSeconds: 0\n  containers:\n"
       "  - {name: c, image: i, resources: {requests: {cpu: 1}}}\n"},
      {"suite/graceful-pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {generateName: graceful-}\n"
       "spec: {containers: [{name: c, image: i}]}\n"},
      {"suite/finalizer-pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {generateName: fin-, labels: {kind: fin}, finalizers: "
       "[a/b]}\n"
       "spec: {terminationGracePeriodSeconds: 0, containers: [{name: c}]}\n"},
      {"suite/gated-pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {generateName: gated-}\n"
       "spec: {schedulingGates: [{name: g}], containers: [{name: c}]}\n"},
      {"suite/indexed-pod.yaml",
       "kind: Pod\nmetadata: {name: \"p{{.Index}}\", labels: {group: \"{{Mod .Index 2}}\"}}\n"
       "spec: {containers: [{name: c, resources: {requests: {cpu: \"{{.cpu}}\"}}}]}\n"},
      {"suite/large-pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {generateName: large-}\n"
       "spec: {priority: 10, containers: [{name: c, resources: {requests: {cpu: 9}}}]}\n"},
      {"suite/important-pod.yaml",
       "kind: Pod\nmetadata: {generateName: imp-}\n"
       "spec: {priority: 10, containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n"},
      {"suite/alternating-pod.yaml",
       "apiVersion: v1\nkind: Pod\n"
       "metadata: {generateName: alt-, labels: {kind: \"{{Mod .Index 2}}\"}}\n"
       "spec: {priority: {{Mod .Index 2}}, containers: [{name: c}]}\n"},
      {"suite/alternating-node.yaml",
       "apiVersion: v1\nkind: Node\nmetadata: {generateName: alt-, labels: {n: \"{{.Index}}\"}}\n"
       "status: {capacity: {cpu: {{Mod .Index 2}}0, pods: 10}}\n"},
      {"suite/zoned-node.yaml",
       "apiVersion: v1\nkind: Node\nmetadata: {name: \"z{{.Index}}\", labels: {n: "
       "\"{{.Index}}\"}}\n"
       "status: {capacity: {cpu: 4, pods: 10}}\n"},
      {"suite/resized-pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {name: \"p{{.Index}}\"}\n"
       "spec: {containers: [{name: c, resources: {requests: {cpu: \"1m\"}}}]}\n"},
      {"suite/updated-node.yaml",
       "apiVersion: v1\nkind: Node\nmetadata: {name: \"z{{.Index}}\", labels: {new: \"yes\"}}\n"
       "status: {capacity: {cpu: 8, pods: 10}}\n"},
      {"suite/folded-pod.yaml",
       "kind: Pod\nmetadata: {generateName: folded-, labels: {Name: kept}}\n"
       "spec:\n  TopologySpreadConstraints:\n  - maxSkew: 1\n    topologyKey: zone\n"
       "    whenUnsatisfiable: DoNotSchedule\n    \"NodeTaintsPolicy\": Honor\n"
       "  containers: [{name: c}]\n"},
      {"suite/volume-pod.yaml",
       "kind: Pod\nmetadata: {generateName: vol-}\nspec:\n  containers: [{name: c}]\n"
       "  volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]\n"},
      {"suite/secret-pod.yaml",
       "kind: Pod\nmetadata: {generateName: sec-}\nspec:\n  containers: [{name: c}]\n"
       "  volumes: [{name: v, secret: {secretName: x}}]\n"},
      {"suite/repository-pod.yaml",
       "kind: Pod\nmetadata: {generateName: git-}\nspec:\n  containers: [{name: c}]\n"
       "  volumes: [{name: v, gitRepo: {repository: x}}]\n"},
      {"suite/follower-pod.yaml",
       "kind: Pod\nmetadata: {generateName: follower-}\nspec:\n  containers: [{name: c}]\n"
       "  affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
       "zone, labelSelector: {matchLabels: {kind: fin}}}]}}\n"},
      {"suite/placed-pod.yaml",
       "kind: Pod\nmetadata: {generateName: placed-}\n"
       "spec: {nodeName: fixed, containers: [{name: c}]}\n"},
      {"suite/service.yaml",
       "apiVersion: v1\nkind: Service\nmetadata: {generateName: svc-}\n"
       "spec: {selector: {app: x}}\n"},
      {"suite/budget.yaml",
       "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: budget}\n"
       "spec: {minAvailable: 1, selector: {matchLabels: {app: x}}}\n"
       "status: {disruptionsAllowed: 3}\n"},
      {"suite/claim.yaml",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n"},
      {"suite/device-class.yaml",
       "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\n"
       "spec: {extendedResourceName: example.com/gpu}\n"},
      {"suite/volume.yaml",
       "kind: PersistentVolume\nspec:\n  accessModes: [ReadOnlyMany]\n  capacity: {storage: 1Gi}\n"
       "  awsElasticBlockStore: {VolumeID: none}\n"},
      {"suite/csi-volume.yaml",
       "kind: PersistentVolume\nspec:\n  capacity: {storage: 1Gi}\n  csi: {driver: d.example}\n"},
      {"suite/volume-claim.yaml",
       "kind: PersistentVolumeClaim\nmetadata:\n"
       "  annotations: {pv.kubernetes.io/bind-completed: \"true\"}\n"
       "spec:\n  accessModes: [ReadOnlyMany]\n  resources: {requests: {storage: 1Gi}}\n"},
      {"suite/class.yaml",
       "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {generateName: class-}\n"
       "provisioner: d.example\n"},
      {"suite/any-claim.yaml",
       "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: \"c{{.Index}}\"}\n"
       "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
       "status: {phase: Lost}\n"},
      {"suite/fixed-claim.yaml",
       "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n"
       "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"},
      {"suite/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"},
      {"suite/namespace.yaml", "kind: Namespace\nmetadata: {labels: {team: red}}\n"},
      {"suite/broken-pod.yaml",
       "kind: Pod\nmetadata: {generateName: b-}\nspec:\n  containers:\n"
       "  - {name: c, resources: {requests: {cpu: lots}}}\n"},
      {"suite/conditional-pod.yaml", "kind: Pod\nmetadata: {generateName: {{if .x}}a{{end}}}\n"},
  };
  return files;
}

// Reads from some_files().
inline std::string read_some(const std::string& path) {
  const auto found = some_files().find(path);
  if (found == some_files().end()) throw Error(path + ": there is no such file");
  return found->second;
}

inline std::vector<Workload> import_text(const std::string& text, Diagnostics& diagnostics) {
  const document::Document document =
      document::Document::parse(text, "suite/config.yaml", diagnostics);
  return import_scheduler_perf(document, "suite/config.yaml", read_some, diagnostics);
}

// A definition with one test case of these operations and one workload of these lines.
inline std::string one_case(const std::string& ops, const std::string& workload = "") {
  return "- name: Case\n  defaultPodTemplatePath: pod.yaml\n  workloadTemplate:\n" + ops +
         "  workloads:\n  - name: only\n" + workload;
}

// Imports a definition with exactly one workload. Fails the test if there is a fault.
inline Workload only(const std::string& text) {
  Diagnostics diagnostics;
  std::vector<Workload> workloads = import_text(text, diagnostics);
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  if (workloads.size() == 1) return workloads.front();
  ADD_FAILURE() << workloads.size() << " workloads";
  return {};
}

inline std::string first_error(const std::string& text) {
  Diagnostics diagnostics;
  import_text(text, diagnostics);
  return diagnostics.count() == 0 ? "" : diagnostics.kept().front().what();
}

// Each effect of a load as one line, such as "500ms pod ns-1/pod-0000001".
std::vector<std::string> lines_of(Load& load);

inline std::vector<std::string> lines_of(const Workload& workload,
                                         const LoadSettings& settings = {}) {
  return lines_of(*workload.open(settings));
}

}  // namespace berth::loadgen::testing_imports
