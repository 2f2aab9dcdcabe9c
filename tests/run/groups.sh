#!/bin/bash
# PodGroup objects, with the configuration that the plugin's documentation shows.
#   groups.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

cat >config.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:
- schedulerName: default-scheduler
  plugins:
    multiPoint: {enabled: [{name: Coscheduling}]}
    queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}
  pluginConfig:
  - name: Coscheduling
    args: {permitWaitingTimeSeconds: 10, podGroupBackoffSeconds: 5}
YAML
cat >node.yaml <<'YAML'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {cpu: "9", memory: 20Gi, pods: "110"}}
YAML
# group NAME SIZE CREATED
group() {
  cat <<YAML
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {name: $1, namespace: default, creationTimestamp: "$3"}
spec: {scheduleTimeoutSeconds: 10, minMember: $2}
YAML
}
# replicas NAME NUMBER
replicas() {
  cat <<YAML
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: $1, namespace: default}
spec:
  replicas: $2
  selector: {matchLabels: {app: $1}}
  template:
    metadata: {labels: {app: $1, scheduling.x-k8s.io/pod-group: $1}}
    spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "3", memory: 500Mi}}}]}
YAML
}
run() { "$berth" run --cluster node.yaml --config config.yaml --results results "$@"; }
scheduled() { grep -c '"outcome":"scheduled"' results || true; }

# The example of the plugin: three of six fit, and three are enough; four would be too many.
{ group nginx 3 2024-01-01T00:00:00Z; replicas nginx 6; } >three.yaml
expect 0 'podGroupBackoffSeconds has no effect' run --pods three.yaml
[[ $(scheduled) == 3 ]] || fail "three of six: $(cat results)"
{ group nginx 4 2024-01-01T00:00:00Z; replicas nginx 6; } >four.yaml
# Without pods to try, those that back off are popped, and such a group is tried without a pause.
expect 0 '' run --pods four.yaml --no-pop-from-backoff
[[ $(scheduled) == 0 ]] || fail "none of six: $(cat results)"

# More pods than the size, and room for all of them: those that come later do not wait.
{ group nginx 2 2024-01-01T00:00:00Z; replicas nginx 3; } >more.yaml
expect 0 '' run --pods more.yaml
[[ $(scheduled) == 3 ]] || fail "all: $(cat results)"

# Without a plugin that reads them.
expect 0 'no enabled plugin reads them' "$berth" run --cluster node.yaml --pods three.yaml

# Without its PodGroup a pod is refused, and the reason is told.
replicas nginx 3 >none.yaml
expect 0 'PodGroup not found' run --pods none.yaml

# The group that was created first is scheduled first, whatever the order of the file, and the
# same from every form of the input.
{
  group late 3 2024-01-02T00:00:00Z
  group early 3 2024-01-01T00:00:00Z
  replicas late 3
  replicas early 3
} >two.yaml
"$berth" convert node.yaml two.yaml --output two.frames 2>err
"$berth" convert node.yaml two.yaml --output two.jsonl 2>err
for pods in two.frames two.jsonl; do
  "$berth" run --config config.yaml --pods $pods --results results >out 2>err
  [[ $(grep -c '"name":"early-.*"outcome":"scheduled"' results) == 3 ]] || fail "$pods: $(cat results)"
done
expect 0 '' run --pods two.yaml
[[ $(grep -c '"name":"early-.*"outcome":"scheduled"' results) == 3 ]] || fail "early: $(cat results)"
[[ $(scheduled) == 3 ]] || fail "one group: $(cat results)"
echo "groups: $checked commands"
