#!/bin/bash
# What berth explain says of preemption equals what a run does, whatever form the cluster has.
#   explain.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# A pod that a budget protects has the lowest priority of the two that could go.
cat >cluster.yaml <<'YAML'
apiVersion: v1
kind: Node
metadata: {name: a, labels: {kubernetes.io/hostname: a}}
status: {allocatable: {cpu: "2", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: b, labels: {kubernetes.io/hostname: b}}
status: {allocatable: {cpu: "2", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: guarded, namespace: default, labels: {app: guarded}}
spec:
  nodeName: a
  priority: 1
  containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: free, namespace: default}
spec:
  nodeName: b
  priority: 5
  containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: guard, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
status: {disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}
YAML
pod() {
  cat <<YAML
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  priority: 100
  $1
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
YAML
}
pod '' >pod.yaml

# The event of the first attempt and the victims, of a run and of explain.
"$berth" run --cluster cluster.yaml --pods pod.yaml --tie-break name --results results -v=2 >out 2>log
grep -q '"node":"b","victims":\["default/free"\]' results || fail "the run: $(cat results)"
"$berth" convert cluster.yaml --output cluster.frames 2>err
for cluster in cluster.yaml cluster.frames; do
  expect 0 'Pod default/p: unschedulable, nominated to b' "$berth" explain --cluster $cluster --pod pod.yaml
  grep -qF 'PostFilter: DefaultPreemption nominates node b and evicts 1 pod' out || fail "$(cat out)"
  grep -qF '  default/free   priority 5' out || fail "$(cat out)"
  expect 0 '"pod": "default/free"' "$berth" explain --cluster $cluster --pod pod.yaml -o json
done

# Both halves of the event are those of the run.
pod 'preemptionPolicy: Never' >never.yaml
"$berth" run --cluster cluster.yaml --pods never.yaml --results results >out 2>err
message=$(sed 's/.*"message":"\([^"]*\)".*/\1/' results)
[[ $message == *' preemption: not eligible due to preemptionPolicy=Never.' ]] || fail "$message"
expect 0 "Why: $message" "$berth" explain --cluster cluster.yaml --pod never.yaml
cat >config.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {postFilter: {disabled: [{name: "*"}]}}}]
YAML
expect 0 'PostFilter: not asked, the profile has no PostFilter plugin' \
  "$berth" explain --cluster cluster.yaml --pod pod.yaml --config config.yaml

# A pod that has a node is explained without it, whether the node is there or not.
expect 0 'the pod runs on node "b"; it is explained as if it had none' \
  "$berth" explain --cluster cluster.yaml --pod free
pod 'nodeName: gone' >gone.yaml
expect 0 'the pod runs on node "gone", which is not among the nodes; it is explained as if' \
  "$berth" explain --cluster cluster.yaml --pod gone.yaml
expect 0 'that is not among the nodes' "$berth" run --cluster cluster.yaml --pods gone.yaml

# --pod takes what -o name prints. A name that pods of two namespaces have is none.
waiting() { pod '' | sed "s/name: p, namespace: default/name: $2, namespace: $1/"; }
{ cat cluster.yaml && echo --- && waiting team only; } >dump.yaml
"$berth" run dump.yaml --tie-break name -o name >names 2>err
[[ $(cat names) == pod/only ]] || fail "bound: $(cat names) $(cat err)"
for name in only team/only "$(cat names)" pod/team/only; do
  expect 0 'Pod team/only: ' "$berth" explain dump.yaml --pod "$name"
done
expect 1 'no pod of the cluster is named "pod/default/only"' \
  "$berth" explain dump.yaml --pod pod/default/only
{ cat dump.yaml && echo --- && waiting pod only; } >two.yaml
for name in only pod/only; do
  expect 1 "there are 2 pods named \"$name\" in the cluster: name one of them, as pod/team/only or pod/pod/only" \
    "$berth" explain two.yaml --pod "$name"
done
expect 0 'Pod pod/only: ' "$berth" explain two.yaml --pod pod/pod/only
echo "explain: $checked commands"
