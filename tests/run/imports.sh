#!/bin/bash
# Tests imported workloads, from their files to bindings:
#   imports.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/suite/templates" "$folder/trace"
cd "$folder"

# scheduled COUNT WORKLOAD...: COUNT pods are placed, the same ones in each run.
scheduled() {
  local wanted=$1
  shift
  "$loadgen" cluster "$@" --output cluster.json 2>err
  "$loadgen" pods "$@" --output pods.frames 2>err
  "$loadgen" pods "$@" --output again.frames 2>err
  cmp pods.frames again.frames
  "$berth" run --cluster cluster.json --pods pods.frames --bindings bindings.jsonl \
    --summary summary.json >out 2>err || fail "$*: $(cat err)"
  local found
  found=$(sed -nE 's/^ *"pods_scheduled": ([0-9]+),$/\1/p' summary.json)
  [[ $found == "$wanted" ]] || fail "$*: $found pods have a node, expected $wanted: $(cat err)"
}

# Definitions of kube-scheduler's benchmark.
cat >suite/performance-config.yaml <<'YAML'
- name: Mixed
  defaultPodTemplatePath: templates/pod.yaml
  workloadTemplate:
  - opcode: createNodes
    countParam: $nodes
    labelNodePrepareStrategy: {labelKey: topology.kubernetes.io/zone, labelValues: [a, b]}
  - opcode: churn
    mode: recreate
    number: 1
    intervalMilliseconds: 10
    templatePaths: [templates/service.yaml]
  - {opcode: createPods, countParam: $pods, namespace: first}
  - {opcode: deletePods, namespace: first, deletePodsPerSecond: 100, skipWaitToCompletion: true}
  - {opcode: createPods, countParam: $pods, collectMetrics: true}
  workloads:
  - {name: Small, params: {nodes: 4, pods: 8}}
  - {name: SmallGangs, featureGates: {GangScheduling: true}, params: {nodes: 4, pods: 8}}
- name: Broken
  workloadTemplate:
  - {opcode: createPods, cuont: 3}
  workloads: [{name: Any}]
YAML
cat >suite/templates/pod.yaml <<'YAML'
apiVersion: v1
kind: Pod
metadata: {generateName: pod-, labels: {app: web}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
  - {name: main, resources: {requests: {cpu: "1"}}}
  TopologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {app: web}}
YAML
cat >suite/templates/service.yaml <<'YAML'
apiVersion: v1
kind: Service
metadata: {generateName: web-}
spec: {selector: {app: web}}
YAML
suite=suite/performance-config.yaml
expect 1 'Mixed/Small is valid' "$loadgen" check $suite
expect 1 'SmallGangs needs features that are not built: feature gate GangScheduling=true' \
  "$loadgen" check $suite
expect 1 "$suite:20:26: [1].workloadTemplate[0].cuont: unknown field \"cuont\" of createPods" \
  "$loadgen" check $suite
expect 1 'needs features that are not built: feature gate GangScheduling=true' \
  "$loadgen" stream $suite --workload Mixed/SmallGangs --output -
expect 2 'has no workload whose name fits "Small"; it holds:' \
  "$loadgen" stream $suite --workload Small --output -
expect 2 'holds several such workloads; choose one with --workload:' \
  "$loadgen" stream $suite --workload 'Mixed/S*' --output -
scheduled 16 $suite --workload '*/Small'
# Four nodes of four cores hold sixteen pods.
scheduled 16 $suite --workload Mixed/Small
# More pods fit one after the other only if earlier ones are deleted in between.
scheduled 26 $suite --workload Mixed/Small --set pods=13 --set podsPerSecond=40
scheduled 16 $suite --workload Mixed/Small --set pods=13 --set podsPerSecond=1000000

# The tables of the openb trace.
cat >trace/openb_node_list_all_node.csv <<'CSV'
sn,cpu_milli,memory_mib,gpu,model
node-a,8000,4096,0,
node-b,8000,4096,2,T4
CSV
cat >trace/openb_pod_list_default.csv <<'CSV'
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
whole,1000,128,2,1000,T4|G2,LS,Running,1,5,2
share,1000,128,1,500,,LS,Running,6,10,7
other,1000,128,1,500,V100M16,LS,Pending,7,10,
plain,7000,128,0,0,,BE,Running,7,20,8
CSV
scheduled 3 trace
scheduled 2 trace --set lifetimes=false
echo 'bad,1000,128,1,500,,LS,Running,six,10,7' >>trace/openb_pod_list_default.csv
expect 1 'trace/openb_pod_list_default.csv:6:32: creation_time: expected a whole number' \
  "$loadgen" check trace

# A cluster as kubectl prints it, in three copies.
cat >cluster.yaml <<'YAML'
kind: List
items:
- {kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a}}, status: {allocatable: {cpu: "2", pods: "10"}}}
- {kind: Namespace, metadata: {name: web}}
- {kind: Pod, metadata: {name: runs, namespace: web}, spec: {nodeName: a, nodeSelector: {kubernetes.io/hostname: a}, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}
- {kind: Pod, metadata: {name: waits, namespace: web}, spec: {nodeSelector: {kubernetes.io/hostname: a}, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}
YAML
scheduled 1 cluster.yaml
scheduled 3 cluster.yaml --set copies=3
for copy in '' -c1 -c2; do
  grep -q "\"web$copy\".*\"waits\".*\"a$copy\"" bindings.jsonl ||
    fail "web$copy/waits is not on a$copy: $(cat bindings.jsonl)"
done
scheduled 6 cluster.yaml --set copies=3 --set reschedule=true
expect 2 'parameter copies: expected a whole number from 1' \
  "$loadgen" stream cluster.yaml --set copies=0 --output -
