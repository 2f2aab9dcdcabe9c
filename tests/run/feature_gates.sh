#!/bin/bash
# --feature-gates: which gates are taken, what StorageCapacityScoring does to a choice, and what
# OpportunisticBatching leaves of the scores.
#   feature_gates.sh BERTH BERTH-BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 bench=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# On n-0 a fifth of the capacity is needed, on n-1 a half; names say otherwise.
{
  for node in 0:100Gi 1:40Gi; do
    cat <<YAML
---
apiVersion: v1
kind: Node
metadata: {name: n-${node%:*}, labels: {kubernetes.io/hostname: n-${node%:*}}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: {name: c-${node%:*}, namespace: default}
storageClassName: fast
capacity: ${node#*:}
nodeTopology: {matchLabels: {kubernetes.io/hostname: n-${node%:*}}}
YAML
  done
  cat <<'YAML'
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.example.com}
spec: {storageCapacity: true}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: default}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}
YAML
} >cluster.yaml
cat >pod.yaml <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  containers: [{name: c, image: i}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
YAML
cat >fullest.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: VolumeBinding
    args: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}
YAML
run=("$berth" run --cluster cluster.yaml --pods pod.yaml --results results.jsonl --scores=1)
scoring=(--feature-gates StorageCapacityScoring=true)

# score NODE: what VolumeBinding says of it.
score() { grep -o "\"node\":\"$1\",\"total\":[^]]*" results.jsonl | grep -o '"VolumeBinding":{"raw":[0-9]*' || true; }
expect 0 scheduled "${run[@]}"
[[ -z $(score n-0) ]] || fail "scored without the gate: $(cat results.jsonl)"
expect 0 scheduled "${run[@]}" "${scoring[@]}"
grep -q '"node":"n-0"' results.jsonl || fail "not on n-0: $(cat results.jsonl)"
grep -q '"raw":80' results.jsonl && grep -q '"raw":50' results.jsonl || fail "$(cat results.jsonl)"
expect 0 scheduled "${run[@]}" "${scoring[@]}" --config fullest.yaml
grep -q '"outcome":"scheduled","node":"n-1"' results.jsonl || fail "not on n-1: $(cat results.jsonl)"
expect 0 'VolumeBinding' "$berth" explain --cluster cluster.yaml --pod pod.yaml "${scoring[@]}"
grep -q 'n-0' out || fail "$(cat out)"
expect 1 'args.shape: unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring' \
  "${run[@]}" --config fullest.yaml
expect 1 'unexpected field `shape`' "$berth" config validate fullest.yaml
expect 0 'is valid, of version v1' "$berth" config validate fullest.yaml "${scoring[@]}"
expect 0 'utilization: 100' "$berth" config defaults "${scoring[@]}"
expect 1 'no kube-scheduler that reads v1beta3 has the feature gate StorageCapacityScoring' \
  "$berth" config defaults --api-version v1beta3 "${scoring[@]}"

# Other gates: refused with the reason, or named.
expect 2 'unrecognized feature gate: "StorageCapacityScore" is none of kube-scheduler v1.36.2; did you mean StorageCapacityScoring?' \
  "${run[@]}" --feature-gates StorageCapacityScore=true
expect 2 'feature is locked to true' "${run[@]}" --feature-gates SchedulerQueueingHints=false
expect 2 'Berth has built only PodLevelResources=true' "${run[@]}" --feature-gates PodLevelResources=false
expect 2 'expected true or false, found "maybe"' "${run[@]}" --feature-gates StorageCapacityScoring=maybe
expect 0 'feature gate KubeletCrashLoopBackOffMax=false makes no difference' "${run[@]}" --feature-gates KubeletCrashLoopBackOffMax=false
expect 1 'is set to both true and false' "${run[@]}" \
  --feature-gates SchedulerPopFromBackoffQ=true --no-pop-from-backoff
expect 0 'SchedulerPopFromBackoffQ=false makes no difference here: it is of the queue' \
  "$berth" explain --cluster cluster.yaml --pod pod.yaml --feature-gates SchedulerPopFromBackoffQ=false

# A document of the configuration's file says the version and gates; options win over it.
cat >rules.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
---
apiVersion: berth/v1
kind: SchedulerRules
kubeVersion: "1.34"
featureGates: {StorageCapacityScoring: true}
YAML
both=("${run[@]::${#run[@]}-1}" --scores=2)  # of both nodes
claims() { grep -q '"DynamicResources":{"raw":0' results.jsonl; }
expect 0 scheduled "${both[@]}" --config rules.yaml
[[ -n $(score n-0) ]] || fail "not by the gates of the file: $(cat results.jsonl)"
if claims; then fail "not by the rules of the file: $(cat results.jsonl)"; fi
expect 0 'kube-version 1.36 holds, and not 1.34 of rules.yaml:6:14: kubeVersion' \
  "${both[@]}" --config rules.yaml --kube-version 1.36
claims || fail "not by the rules of the option: $(cat results.jsonl)"
expect 0 'StorageCapacityScoring=false holds, and not true of rules.yaml:7:40: featureGates.StorageCapacityScoring' \
  "${both[@]}" --config rules.yaml --feature-gates StorageCapacityScoring=false
[[ -z $(score n-0) ]] || fail "scored without the gate: $(cat results.jsonl)"
expect 0 'rules.yaml:4: is valid, of version berth/v1' "$berth" config validate rules.yaml
"$berth" config convert rules.yaml | grep bindingTimeout && fail "an argument of 1.36"
expect 0 'bindingTimeout: "10m0s"' "$berth" config convert rules.yaml --kube-version 1.36
expect 0 'bindingTimeout: "10m0s"' "$berth" config defaults
sed 's/1.34/1.35/; s/Scoring/Score/' rules.yaml >wrong.yaml
expect 1 'wrong.yaml:6:14: kubeVersion: Unsupported value: "1.35"' "$berth" config validate wrong.yaml
grep -q 'wrong.yaml:7:[0-9]*: featureGates.StorageCapacityScore: unrecognized feature gate' err || fail "$(cat err)"
expect 1 'kubeVersion: Unsupported value: "1.35"' "${run[@]}" --config wrong.yaml

# The results of a benchmark name them.
measure=("$bench" run mixed --set nodes=10 --set pods=20 --repetitions 1 --warm-up 0 -o json)
expect 0 '"feature_gates": ""' "${measure[@]}"
expect 0 '"feature_gates": "StorageCapacityScoring=true"' "${measure[@]}" "${scoring[@]}"
expect 2 'unrecognized feature gate' "${measure[@]}" --feature-gates Nothing=true

# A batch names the nodes of equal pods after the first, as long as the gate is on. Nothing is
# scored for these, and results and the log say so.
{
  for node in n-0 n-1 n-2; do
    printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\n' "$node"
    printf 'status: {allocatable: {cpu: "4", memory: 8Gi, pods: "1"}}\n'
  done
} >batch_nodes.yaml
for pod in a b c; do
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\n' "$pod"
  printf 'spec: {containers: [{name: c, image: i}]}\n'
done >batch_pods.yaml
cat >comparable.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List}}]
YAML
batch_run() {
  "$berth" run --config comparable.yaml --kube-version 1.36 --cluster batch_nodes.yaml \
    --pods batch_pods.yaml --scores -v 3 "$@" 2>batch.log
}
batch_run --results batch.jsonl
grep '"name":"a"' batch.jsonl | grep -q '"scores":' || fail "no scores: $(cat batch.jsonl)"
for pod in b c; do
  grep "\"name\":\"$pod\"" batch.jsonl | grep '"from_batch":true' >batch_pod || fail "$(cat batch.jsonl)"
  if grep '"scores":' batch_pod; then fail "scores of $pod"; fi
  grep -q "OpportunisticBatch provided node hint.*pod=\"default/$pod\" hint=\"n-" batch.log || fail "$(cat batch.log)"
done
batch_run --results batch.jsonl --feature-gates OpportunisticBatching=false
if grep from_batch batch.jsonl || grep OpportunisticBatch batch.log; then fail "batches without the gate"; fi
echo "$checked checks of feature gates"
