#!/bin/bash
# The log of -v: kube-scheduler's lines on standard error, level by level; and messages of plugins.
#   log.sh BERTH PLUGINS FOLDER
# PLUGINS is the folder of the plugins of tests.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 of_tests=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() {
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'"},
"status":{"allocatable":{"cpu":"'"$2"'","memory":"'"$2"'Gi","pods":"9"}}}'
}
pod() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","namespace":"default"},
"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"'"$2"'","memory":"'"$2"'Gi"}}}]}}'
}
{ node a 4 && node b 2; } >cluster.json
{ pod fits 1 && pod large 9; } >pods.json
run=("$berth" run --cluster cluster.json --pods pods.json --tie-break=name)

# logs LEVEL: the log at that level, without time, process and place, in the file log.
logs() {
  "${run[@]}" -v="$1" --bindings "bindings-$1.jsonl" >page 2>err
  { grep -E '^[IE][0-9]{4} [0-9:.]+ +[0-9]+ decision_log\.cc:[0-9]+\] ' err || true; } |
    sed 's/^[^]]*\] //' >log
}
# line TEXT: the log has this line.
line() {
  grep -qxF -- "$1" log || fail "no line $1: $(cat log)"
  ((checked += 1))
}
lines() {
  (($(wc -l <log) == $1)) || fail "expected $1 lines: $(cat log)"
  ((checked += 1))
}

why='0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'
logs 0
lines 0
logs 2
lines 3
line '"Dump of scheduling queue" summary="activeQ:0; backoffQ:0; unschedulablePods:1"'
line '"Successfully bound pod to node" pod="default/fits" node="a" evaluatedNodes=2 feasibleNodes=2'
line "\"Unable to schedule pod; no fit; waiting\" pod=\"default/large\" err=\"$why\""
logs 3
lines 10
line '"Pod moved to an internal scheduling queue" pod="default/large" event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle=2 hint=0 unschedulable plugins={"NodeResourcesFit":{}}'
line '"Add event for unscheduled pod" pod="default/fits"'
line '"Add event for unscheduled pod" pod="default/large"'
line '"Add event for scheduled pod" pod="default/fits"'
line '"Delete event for unscheduled pod" pod="default/fits"'
line '"Attempting to schedule pod" pod="default/fits"'
line '"Attempting to schedule pod" pod="default/large"'
logs 4
lines 12
line '"About to try and schedule pod" pod="default/large"'
logs 5
lines 15
line '"Pod moved to an internal scheduling queue" pod="default/fits" event="UnschedulablePodAdd" queue="Active"'
line "\"Status after running PostFilter plugins for pod\" pod=\"default/large\" status=\"${why#*memory. }\""

# The scores are those that the results have: weighted, and their sum. Only one pod was scored.
logs 10
"${run[@]}" --results results.jsonl --scores=1 >page 2>err
plugins=$(grep -c '"Plugin scored node for pod"' log || true)
((plugins >= 6 && plugins % 2 == 0)) || fail "$plugins scores of plugins"
resources=$(grep -c '"Listed internal info for' log || true)
((resources == 4)) || fail "$resources lines about resources"
lines $((15 + plugins + resources + 2))
line '"Listed internal info for allocatable resources, requested resources and score" pod="default/fits" node="a" resourceAllocationScorer="NodeResourcesFit" allocatableResource=[4000,4294967296] requestedResource=[1000,1073741824] resourceScore=75'
for of in a b; do
  total=$(sed "s/.*{\"node\":\"$of\",\"total\":\([0-9]*\).*/\1/;q" results.jsonl)
  line "\"Calculated node's final score for pod\" pod=\"default/fits\" node=\"$of\" score=$total"
  sum=$(grep "scored node.* node=\"$of\" " log | sed 's/.*score=/+/' | tr -d '\n')
  ((total == 0$sum)) || fail "the scores of $of do not add up to $total: $sum"
done
line '"Plugin scored node for pod" pod="default/fits" plugin="NodeResourcesFit" node="a" score=75'
line '"Plugin scored node for pod" pod="default/fits" plugin="TaintToleration" node="b" score=300'

# Decisions are the same, and one input has one log.
for level in 2 3 4 5 10; do cmp bindings-0.jsonl "bindings-$level.jsonl"; done
once=$(mktemp -p .) again=$(mktemp -p .)
"${run[@]}" -v=10 2>"$once" >page
"${run[@]}" -v=10 2>"$again" >page
strip() { sed -E 's/^([IE][0-9]{4} [0-9:.]+) +[0-9]+ /\1 /' "$1" | grep -v 'Trace\['; }
diff <(strip "$once") <(strip "$again")

# Without nodes, and without a pod.
echo '{"type":"ADDED","object":'"$(pod alone 1)"'}' >alone.jsonl
expect 0 '"Unable to schedule pod; no nodes are registered to the cluster; waiting" pod="default/alone"' \
  "$berth" run --pods alone.jsonl -v 2

# A level that adds nothing has the lines of that below it.
logs 1
lines 0
logs 9
lines 15
logs 2147483647
lines $((15 + plugins + resources + 2))
for level in -1 high 2147483648; do
  expect 2 "expected a level from 0 to 2147483647, found \"$level\"" "${run[@]}" -v="$level"
done

# Pods that leave: one with a node and one without. An event frees a pod, and one is gated.
# event TYPE: the object on standard input, on one line.
event() { tr -d '\n' | sed 's/^/{"type":"'"$1"'","object":/; s/$/}\n/'; }
{
  node a 1 | event ADDED
  pod large 3 | event ADDED
  pod gated 1 | sed 's/"spec":{/&"schedulingGates":[{"name":"g"}],/' | event ADDED
  node a 4 | event MODIFIED
  pod gated 1 | event MODIFIED
} >events.jsonl
"$berth" run --pods events.jsonl -v=5 >page 2>err || fail "$(cat err)"
sed 's/^[^]]*\] //' err >log
moved='"Pod moved to an internal scheduling queue'
line "$moved, because the pod is gated\" pod=\"default/gated\" event=\"UnschedulablePodAdd\" queue=\"Unschedulable\""
line "$moved\" pod=\"default/large\" event=\"NodeUpdateNodeAllocatable\" queue=\"Backoff\""
line "$moved\" pod=\"default/large\" event=\"NodeUpdateNodeAllocatable\" queue=\"Backoff\" hint=1"
line "$moved because the Pod is updated\" pod=\"default/gated\" event=\"UnschedulablePodUpdatePodSchedulingGatesEliminated\" queue=\"Active\""
{
  node a 4 | event ADDED
  pod fits 1 | event ADDED
  pod large 9 | event ADDED
  pod fits 1 | event DELETED
  pod large 9 | event DELETED
} >watch.jsonl
"$berth" run --pods watch.jsonl -v=3 >page 2>err || fail "$(cat err)"
sed 's/^[^]]*\] //' err >log
line '"Delete event for scheduled pod" pod="default/fits"'
line '"Delete event for unscheduled pod" pod="default/large"'

# Messages of plugins have their names, and --log-level drops those of higher levels.
mkdir talks
cp "$of_tests/run_talks.so" talks
cat >talks.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {multiPoint: {enabled: [{name: Talks}]}}}]
END
texts=('error plugin Talks: on fire' 'warning plugin Talks: warm' 'info plugin Talks: here'
  'debug plugin Talks: thinking')
# talks NUMBER ARGUMENT...: these print the first NUMBER texts, and the plugin sees this level. A
# warning comes from a thread of the plugin.
talks() {
  local number=$1 last=()
  shift
  ((number < 2)) || last=('warning plugin Talks: from a thread')
  "$@" --plugins default:talks --config talks.yaml >page 2>err || fail "$*: $(cat err)"
  sed -nE 's/^[0-9]{4}-[0-9T:.-]+ //p' err | sed 's/^err /error /' >log
  diff log <(printf '%s\n' "${texts[@]:0:$number}" "error plugin Talks: level $number" "${last[@]}") ||
    fail "$*: $(cat err)"
  ((checked += 1))
}
talks 3 "${run[@]}"
talks 1 "${run[@]}" --log-level error
talks 2 "${run[@]}" --log-level warning
talks 3 "${run[@]}" --log-level info
talks 4 "${run[@]}" --log-level debug
for level in error warning debug; do
  talks "$(case $level in error) echo 1 ;; warning) echo 2 ;; *) echo 4 ;; esac)" "${run[@]}" \
    --log-level $level --isolate Talks
done
pod fits 1 >one.json
talks 4 "$berth" explain --cluster cluster.json --pod one.json --log-level debug
expect 2 'expected error or warning or info or debug, found "loud"' "${run[@]}" --log-level loud
echo "$checked checks of the log"
