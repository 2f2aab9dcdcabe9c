#!/bin/bash
# What outputs and messages say of pods that leave their nodes, and of objects that are about that.
#   disruptions.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# has FILE POD TEXT: the line of the pod has TEXT.
has() {
  grep -F "\"name\":\"$2\"" "$1" | grep -qF -- "$3" || fail "$1: the line of $2 has no $3: $(cat "$1")"
  ((checked += 1))
}
node() { # NAME ANNOTATIONS MORE
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'","annotations":{'"${2:-}"'}},"status":{"allocatable":{"cpu":"4","pods":"110"}}'"${3:-}"'}'
}
pod() { # NAME SPEC
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"},"spec":{'"${2:-}"'"containers":[{"name":"c","image":"i"}]}}'
}
event() { echo '{"type":"'"$1"'","object":'"$2"'}'; }
run=("$berth" run --cluster cluster.json --pods watch.jsonl --results results.jsonl --summary summary.json)

# A pod of the cluster that is evicted has a line. On a silent node it terminates for ever.
{ node a && node b && pod old '"nodeName":"a",'; } >cluster.json
eviction='{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"old"}'
{
  event MODIFIED "$(node a '"berth/kubelet":"stopped"')"
  event ADDED "$eviction,\"deleteOptions\":{\"dryRun\":[\"All\"]}}"
  event ADDED "$eviction}"
} >watch.jsonl
expect 0 scheduled "${run[@]}"
has results.jsonl old '"outcome":"placed_before","node":"a","evicted_because":"EvictionByEvictionAPI: '
has results.jsonl old '"evicted_for":"Eviction","terminating":true,"attempts":0'
has results.jsonl old '"outcome":"eviction_allowed","dry_run":true,"code":201'
has results.jsonl old '"outcome":"eviction_allowed","code":201'
event MODIFIED "$(node a)" | sed 's/^{/{"time":"1h",/' >>watch.jsonl
expect 0 scheduled "${run[@]}"
has results.jsonl old '"evicted_for":"Eviction","gone":true,"attempts":0'

# Without controllers a drain is named, wherever the annotation comes from.
event MODIFIED "$(node a '"berth/drain":""')" >watch.jsonl
expect 0 'node is to be drained: a; without controllers nobody' "${run[@]}" --controllers ''
expect 0 scheduled "${run[@]}"
! grep -q 'to be drained' err || fail "a drain that is played is named: $(cat err)"

# Rejected objects are no pods, and have no lines.
{
  event ADDED '{"apiVersion":"v1","kind":"Node","metadata":{"name":"c"},"spec":{"taints":5}}'
  event ADDED '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{}}'
  event ADDED '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","systemReserved":{"gpu":"1"}}'
  event MODIFIED '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":-1,"template":{}}}'
  event ADDED "$(node d '"berth/kubelet":"stoped"')"
} >watch.jsonl
expect 1 'watch.jsonl:3:' "${run[@]}"
grep -q '"pods_rejected": 0' summary.json || fail "rejected pods: $(grep pods_rejected summary.json)"
grep -q '"errors_in_input": 7' summary.json || fail "errors: $(cat err)"
[[ ! -s results.jsonl ]] || fail "lines of what is no pod: $(cat results.jsonl)"
event ADDED '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":5}' >>watch.jsonl
expect 1 'watch.jsonl:6:' "${run[@]}"
has results.jsonl p '"outcome":"rejected"'

# Of a workload's pods that admission refuses, each has a line.
{
  event ADDED '{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q","namespace":"default"},"spec":{"hard":{"pods":"1"}}}'
  event ADDED '{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"rs"},"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}'
} >watch.jsonl
expect 1 'watch.jsonl:2:' "${run[@]}" --controllers ''
grep -q '"pods_rejected": 2' summary.json || fail "rejected pods: $(grep pods_rejected summary.json)"
[[ $(grep -c '"name":"rs-[a-z0-9]*","outcome":"rejected","message":"watch.jsonl:2:' results.jsonl) == 2 ]] ||
  fail "the refused pods: $(cat results.jsonl)"

# A kubelet looks at pods that their workload names a node for.
event ADDED '{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"rs"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"nodeName":"b","containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"3"}}}]}}}}' >watch.jsonl
expect 1 'default/rs: loses its pods again and again' "${run[@]}"
grep -q '"evicted_because":"OutOfcpu: .*"gone":true,"phase":"Failed"' results.jsonl ||
  fail "no pod failed: $(head -3 results.jsonl)"

# Measures that nobody reads are named.
metrics='"apiVersion":"metrics.k8s.io/v1beta1"'
{
  event ADDED "{$metrics,\"kind\":\"NodeMetrics\",\"metadata\":{\"name\":\"a\"},\"usage\":{\"memroy\":\"1\"}}"
  event ADDED "{$metrics,\"kind\":\"PodMetrics\",\"metadata\":{\"name\":\"typo\"},\"containers\":[]}"
} >watch.jsonl
expect 0 'measures of usage that are not read, so that they change nothing: memroy' "${run[@]}"
expect 0 'PodMetrics is of a pod that was never there: default/typo' "${run[@]}"

# A budget says which of its numbers counts.
cat >budgets.yaml <<'END'
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: told, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}
status: {disruptionsAllowed: 3}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: counted, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}
END
expect 0 'has a status.disruptionsAllowed: default/told; it counts until' "$berth" run budgets.yaml cluster.json
expect 0 'has no status.disruptionsAllowed: default/counted; the disruption controller' \
  "$berth" run budgets.yaml cluster.json
expect 0 'there is nothing to schedule' "$berth" run budgets.yaml cluster.json
{ echo "$eviction}" && cat cluster.json; } >evicting.json
expect 0 'evicted by controllers' "$berth" run evicting.json
! grep -q 'nothing to schedule' err || fail "it says that nothing happens: $(cat err)"

# Explain counts budgets, too: the pod of lower priority goes if it may.
running() { # NAME NODE PRIORITY
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","uid":"'"$1"'","labels":{"a":"'"$1"'"}},"spec":{"nodeName":"'"$2"'","priority":'"$3"',"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"4"}}}]},"status":{"phase":"Running"}}'
}
{ node n && node m && running low n 0 && running more m 1; } >full.json
pod high '"priority":5,' | sed 's/"image":"i"/&,"resources":{"requests":{"cpu":"4"}}/' >high.json
explained() { # MIN_AVAILABLE TEXT
  sed "1,/^---/d; s/minAvailable: 1/minAvailable: $1/; s/a: b/a: low/" budgets.yaml >budget.yaml
  expect 0 "$2" "$berth" explain full.json budget.yaml --pod high.json
  grep -q 'default/counted; the disruption controller counts it here' err || fail "no word of it: $(cat err)"
}
explained 0 'default/low '
explained 1 'default/more '

# A pod that is being deleted can be explained.
{
  node n1
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"u","deletionTimestamp":"2024-01-01T00:00:30Z"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]},"status":{"phase":"Running","conditions":[{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager","message":"m"}]}}'
} >dump.json
expect 0 'the pod is being deleted, so no scheduler tries it' "$berth" explain dump.json --pod p
expect 0 'the pod was evicted: DeletionByTaintManager: m' "$berth" explain dump.json --pod p

echo "$checked commands behaved"
