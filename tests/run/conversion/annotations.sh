#!/bin/bash
# A plugin reads annotations of pods, from files, workloads and watches.
#   annotations.sh BERTH PLUGINS FOLDER
# PLUGINS is the folder of the plugins of tests.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 of_tests=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/plugins"
cd "$folder"
cp "$of_tests/run_follows.so" plugins

cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {multiPoint: {enabled: [{name: Follows}]}}}]
END
with=(--plugins default:plugins --config config.yaml)
for node in a b c; do
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'$node'"},"status":{"allocatable":{"pods":"9"}}}'
done >cluster.json
# pod NAME NODE: equal but for the annotation.
pod() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","namespace":"default",'\
'"annotations":{"a":"b","example.com/node":"'"$2"'"}},"spec":{"containers":[{"name":"c"}]}}'
}
number=0
for node in b c a c nowhere; do pod "of-$node-$((++number))" "$node"; done >pods.json
# placed FILE: pods and nodes, one to a line.
placed() { sed -nE 's/.*"name":"([^"]*)".*"node":"([^"]*)".*/\1 \2/p' "$1" | sort; }
expected='of-a-3 a
of-b-1 b
of-c-2 c
of-c-4 c'

expect 0 '' "$berth" run --cluster cluster.json --pods pods.json --results results "${with[@]}"
[[ $(placed results) == "$expected" ]] || fail "the pods are on $(placed results)"
grep -q 'node(s) had another name than the annotation' out || fail "no reason: $(cat out)"

# A watch, in which an update of the annotation frees a pod.
event() { sed "s/.*/{\"type\":\"$1\",\"object\":&}/"; }
{
  event ADDED <cluster.json
  event ADDED <pods.json
  pod of-nowhere-5 b | event MODIFIED
} >watch.jsonl
expect 0 '' "$berth" run --pods watch.jsonl --results results "${with[@]}"
[[ $(placed results) == "$expected
of-nowhere-5 b" ]] || fail "the pods of the watch are on $(placed results)"

# The pods of a workload have the annotations of its template.
cat >workload.yaml <<'END'
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: r, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}, annotations: {example.com/node: c}}
    spec: {containers: [{name: c}]}
END
expect 0 '' "$berth" run --cluster cluster.json --pods workload.yaml --results results "${with[@]}"
[[ $(placed results | cut -d ' ' -f 2 | sort | uniq -c | xargs) == '2 c' ]] ||
  fail "the pods of the workload are on $(placed results)"

# explain reads them, too; frames have none, which is said.
pod one b >one.json
expect 0 'b' "$berth" explain --cluster cluster.json --pod one.json "${with[@]}" -o name
"$berth" convert pods.json --output pods.frames 2>/dev/null
expect 0 'frames hold the part of pods and nodes that scheduling reads' \
  "$berth" run --cluster cluster.json --pods pods.frames "${with[@]}"
echo "$checked checks of annotations"
