#!/bin/bash
# The file of results has one line for each pod, in the order of arrival, and tells why a pod is
# pending; the summary counts the same pods.
#   results.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# count FILE TEXT: the lines of FILE that have TEXT.
count() { grep -cF -- "$2" "$1" || true; }
# has FILE POD TEXT: the line of the pod has TEXT.
has() {
  grep -F "\"name\":\"$2\"" "$1" | grep -qF -- "$3" ||
    fail "$1: the line of $2 has no $3: $(grep -F "\"name\":\"$2\"" "$1")"
  ((checked += 1))
}
# in_summary KEY VALUE
in_summary() {
  grep -qF "\"$1\": $2" summary.json || fail "summary: no $1 $2: $(grep "\"$1\"" summary.json)"
  ((checked += 1))
}

# Pods that a Permit plugin holds at the end are not bound: no outcome, count or binding says so.
# The plugin is that for groups of pods. Of one group a pod is missing; its two pods wait in turns
# until the run gives up.
cat >groups.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    multiPoint: {enabled: [{name: Coscheduling}]}
    queueSort: {disabled: [{name: "*"}], enabled: [{name: Coscheduling}]}
  pluginConfig: [{name: Coscheduling, args: {minMember: 3, permitWaitingTimeSeconds: 60}}]
END
grouped() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","namespace":"default",
"labels":{"scheduling.x-k8s.io/pod-group":"'"$2"'"}},"spec":{"containers":[{"name":"c"}]}}'
}
for pod in whole-0 whole-1 whole-2 part-0 part-1; do grouped $pod "${pod%-*}"; done >groups.json
echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"pods":"9"}}}' >n.json
expect 0 'held, not bound         2' "$berth" run --cluster n.json --pods groups.json --config groups.yaml \
  --results results.jsonl --summary summary.json --bindings bindings.jsonl
[[ $(wc -l <bindings.jsonl) == 3 ]] || fail "not three pods are bound: $(cat bindings.jsonl)"
in_summary pods_scheduled 3,
in_summary pods_held 2,
has results.jsonl part-0 '"outcome":"held","node":"n","queue":"permit"'
has results.jsonl whole-0 '"outcome":"scheduled"'

# One line for each pod of a load, however it is read and evaluated.
load=(mixed --set nodes=100 --set pods=1000 --seed 3)
"$loadgen" cluster "${load[@]}" --output load.json 2>err
"$loadgen" pods "${load[@]}" --output pods.stream 2>err
expect 0 'results' "$berth" run --cluster load.json --pods pods.stream --results results.jsonl \
  --scores --summary summary.json
[[ $(wc -l <results.jsonl) == 1000 ]] || fail "$(wc -l <results.jsonl) results"
[[ $(cut -d'"' -f8 results.jsonl | sort | uniq -d) == '' ]] || fail "a pod has two results"
in_summary pods_scheduled "$(count results.jsonl '"outcome":"scheduled"'),"
in_summary pods_unschedulable "$(count results.jsonl '"outcome":"unschedulable"'),"
in_summary unschedulable "$(count results.jsonl '"queue":"unschedulable"'),"
(($(count results.jsonl '"outcome":"unschedulable"') > 5)) || fail "no pod is unschedulable"
expect 0 '' "$berth" run --cluster load.json --pods pods.stream --results again.jsonl --scores \
  --threads 3 --evaluation full
cmp results.jsonl again.jsonl
"$berth" run --cluster load.json --pods - --results - <pods.stream >plain.jsonl 2>err
sed 's/,"scores":.*/}/' results.jsonl | cmp - plain.jsonl
grep -q 'decision hash' err || fail "the page is not on standard error"

# What can become of a pod.
node() {
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'"},
"status":{"allocatable":{"cpu":"'"$2"'","pods":"9"}}}}'
}
pod() {
  local name=$1 cpu=$2 more=${3:-}
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$name"'","namespace":"default"},
"spec":{'"$more"'"containers":[{"name":"c","resources":{"requests":{"cpu":"'"$cpu"'"}}}]}}'
}
added() { echo '{"type":"ADDED","object":'"$(pod "$@")"'}'; }
deleted() { echo '{"type":"DELETED","object":'"$(pod "$@")"'}'; }
{
  node n1 2
  node n2 1
  added victim 2 '"terminationGracePeriodSeconds":3,'
  added small 500m
  added large 8
  added leaves 7
  deleted leaves 7
  added gated 1 '"schedulingGates":[{"name":"wait"}],'
  added other 1 '"schedulerName":"other",'
  added urgent 2 '"priority":10,'
} >watch.jsonl
expect 0 'preemptions             1, victims' "$berth" run --pods watch.jsonl \
  --results results.jsonl --scores=1 --summary summary.json
[[ $(cut -d'"' -f8 results.jsonl | tr '\n' ' ') == 'victim small large leaves gated other urgent ' ]] ||
  fail "another order: $(cut -d'"' -f8 results.jsonl)"
has results.jsonl victim '"outcome":"scheduled","node":"n1","evicted_by":"default/urgent","gone":true'
has results.jsonl victim '"attempts":1,"arrived_seconds":0.0,"queued_seconds":0.0,"tried_seconds":0.001'
has results.jsonl small '"outcome":"scheduled","node":"n2"'
has results.jsonl large '"outcome":"unschedulable","message":"0/2 nodes are available: 2 Insufficient cpu'
has results.jsonl large '"refused_by":["NodeResourcesFit"],"queue":"unschedulable"'
has results.jsonl leaves '"outcome":"deleted"'
has results.jsonl leaves '"gone":true'
has results.jsonl gated '"outcome":"gated"'
has results.jsonl gated '"refused_by":["SchedulingGates"],"queue":"gated","attempts":0'
has results.jsonl other '"outcome":"ignored","message":"no profile for scheduler name \"other\""'
has results.jsonl urgent '"outcome":"scheduled","node":"n1","victims":["default/victim"],"attempts":2'
for key in scheduled:3 unschedulable:1 deleted:1 gated:1 ignored:1 evicted:1 untried:0; do
  in_summary "pods_${key%:*}" "${key#*:},"
done
in_summary nominations 1,
grep -A 3 '"victims_per_preemption"' summary.json | grep -q '"mean": 1.0' || fail "no victim"
has results.jsonl large '"attempts":2'
grep -A 8 '"attempts_per_pod"' summary.json | grep -q '"max": 2.0' || fail "no second attempt"
# The victim leaves 3 seconds after the attempt, and the pod is bound then.
bound=$(grep '"name":"urgent"' results.jsonl | sed 's/.*"bound_seconds":\([0-9]*\).*/\1/')
((bound >= 3)) || fail "urgent was bound at $bound"
grep -A 8 '"queue_to_bound_seconds"' summary.json | grep -q '"max": 3\.' || fail "no wait of 3 s"

# Scores: of the chosen node, which comes first, and of as many others as were asked for.
has results.jsonl small '"outcome":"scheduled"'
{ node a 4 && node b 4 && node c 2 && added one 1; } >scored.jsonl
for others in 0 1 2 9; do
  expect 0 scheduled "$berth" run --pods scored.jsonl --results results.jsonl --scores=$others
  nodes=$(grep -o '"total"' results.jsonl | wc -l)
  ((nodes == 1 + (others < 2 ? others : 2))) || fail "--scores=$others gave $nodes nodes"
done
winner=$(sed 's/.*"outcome":"scheduled","node":"\([a-c]\)".*/\1/' results.jsonl)
has results.jsonl one "\"scores\":[{\"node\":\"$winner\",\"total\":"
has results.jsonl one '"NodeResourcesFit":{"raw":75,"normalised":75,"weight":1}'
has results.jsonl one '"node":"c"'

# Options and files that exclude each other.
run=("$berth" run --pods watch.jsonl)
expect 1 '--scores: adds to the results' "${run[@]}" --scores
expect 2 'berth run' "${run[@]}" --results r.jsonl --scores=many
expect 1 'watch.jsonl: would be written over' "${run[@]}" --results watch.jsonl
expect 1 'bindings and results cannot go to one file' "${run[@]}" --results one --bindings one
expect 1 'the summary and results cannot go to one file' "${run[@]}" --results - --summary -
expect 1 'No space left' bash -c '"$@" >/dev/full' bash "${run[@]}" --results -
echo former >results.jsonl
expect 1 'No space left' bash -c '"$@" --bindings - >/dev/full' bash "${run[@]}" --results results.jsonl
has results.jsonl small '"outcome":"scheduled"'
[[ $(echo *.part) == '*.part' ]] || fail "left behind: $(echo *.part)"
# Pods that need no node, and pods that are rejected: each pod of the file has one line. Those that
# are rejected come last.
outcomes() { sed 's/.*"name":"\([^"]*\)","outcome":"\([^"]*\)".*/\1:\2/' results.jsonl | tr '\n' ' '; }
whole() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"'"$2"'},"spec":{'"$3"'
"containers":[{"name":"c"}]},"status":{'"$4"'}}'
}
{
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4","pods":"9"}}}'
  whole there '' '"nodeName":"n",' ''
} >cluster.json
{
  whole placed '' '"nodeName":"n",' ''
  pod waits 1
  whole done '' '' '"phase":"Succeeded"'
  whole going ',"deletionTimestamp":"2024-01-01T00:00:00Z"' '' ''
  pod waits 2
  pod there 1
  pod broken x
  pod last 1
  echo '{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"selector":3}}'
} >door.json
expect 1 'rejected                3' "$berth" run --cluster cluster.json --pods door.json \
  --results results.jsonl --summary summary.json
[[ $(outcomes) == 'placed:already_placed waits:scheduled done:finished going:terminating last:scheduled there:rejected waits:rejected broken:rejected ' ]] ||
  fail "outcomes: $(outcomes)"
has results.jsonl placed '"outcome":"already_placed","node":"n","attempts":0'
has results.jsonl there '"message":"door.json:'
has results.jsonl there 'a pod of this name is there already; this one is left out'
has results.jsonl broken 'spec.containers[0].resources.requests.cpu'
in_summary pods_total "$(wc -l <results.jsonl),"

# The same of a watch; another scheduler binds a pod that waits here.
{
  node n 2
  added large 8
  added none 9
  deleted none 9
  echo '{"type":"MODIFIED","object":'"$(pod large 8 '"nodeName":"n",')"'}' | tr -d '\n'
  echo
  added broken x
  echo '{"type":"ADDED","object":'
} >watch.jsonl
expect 1 'bound by another        1' "$berth" run --pods watch.jsonl --results results.jsonl \
  --summary summary.json
[[ $(outcomes) == 'large:bound_by_another none:deleted broken:rejected :rejected ' ]] ||
  fail "outcomes: $(outcomes)"
has results.jsonl large '"outcome":"bound_by_another","node":"n","attempts":1'
in_summary pods_total "$(wc -l <results.jsonl),"
in_summary pods_bound_by_another 1,

echo "$checked checks of results"
