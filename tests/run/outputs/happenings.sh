#!/bin/bash
# What happens at its time: events of a watch with times, pods that end by themselves, and what a
# run tells of its evictions.
#   happenings.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# has FILE TEXT
has() { grep -qF -- "$2" "$1" || fail "$1 has no $2: $(cat "$1")"; }
# happens TYPE TIME OBJECT: a line of a watch; without a time if it is empty.
happens() { echo "{\"type\":\"$1\",${2:+\"time\":\"$2\",}\"object\":$3}"; }
pod() { # NAME ANNOTATIONS
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","namespace":"default","annotations":{'"$2"'}},"spec":{"containers":[{"name":"c"}]}}'
}
node() { # NAME PODS ANNOTATIONS
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'","annotations":{'"$3"'}},"status":{"allocatable":{"pods":"'"$2"'"}}}'
}

# The node has room for one pod at a time. The first one ends after 90 s with an error, so the other
# one is bound then; it arrived after 10 s.
{
  happens ADDED '' "$(node n 1 '')"
  happens ADDED '' "$(pod job '"berth/runs-for":"90s","berth/exit-code":"3"')"
  happens ADDED 10s "$(pod next '"berth/runs-for":"1h"')"
} >jobs.jsonl
expect 0 'exited with an error' "$berth" run --pods jobs.jsonl --summary summary.json \
  --results results.jsonl -v=2
has err '"Containers of pod ended" pod="default/job" phase="Failed" exitCode=3'
has err '"Containers of pod ended" pod="default/next" phase="Succeeded" exitCode=0'
has results.jsonl '"name":"job","outcome":"scheduled","node":"n","gone":true,"phase":"Failed","exit_code":3,"attempts":1,"arrived_seconds":0.0,"queued_seconds":0.0,"tried_seconds":0.001'
has results.jsonl '"finished_seconds":90.00'
has results.jsonl '"name":"next","outcome":"scheduled","node":"n","gone":true,"phase":"Succeeded","exit_code":0,"attempts":2,"arrived_seconds":10.0'
has summary.json '"pods_succeeded": 1,'
has summary.json '"pods_exited_with_error": 1,'

# Without a kubelet they run on.
expect 0 scheduled "$berth" run --pods jobs.jsonl --controllers '*,-kubelet' --results results.jsonl
! grep -q finished results.jsonl || fail "$(cat results.jsonl)"
grep -q '2 pods say how long they run: default/job, default/next; no kubelet' err || fail "$(cat err)"

# What is wrong is named with its place.
happens ADDED soon "$(pod p '')" >wrong.jsonl
happens ADDED '' "$(pod p '"berth/runs-for":"soon"')" >>wrong.jsonl
happens ADDED '' "$(node n 1 '')" >>wrong.jsonl
expect 1 'wrong.jsonl:1:24: time: expected a time of the run from 0s to 87600h' \
  "$berth" run --pods wrong.jsonl
grep -q 'wrong.jsonl:2:.*annotations.berth/runs-for.: expected a duration' err || fail "$(cat err)"

# A kubelet stops after 100 s: its pod is evicted, and the summary tells of it. Another node of the
# zone is well, and has room later.
{
  happens ADDED '' "$(node n 1 '')"
  happens ADDED '' "$(node m 0 '')"
  happens ADDED '' "$(pod p '')"
  happens MODIFIED 100s "$(node n 1 '"berth/kubelet":"stopped"')"
  happens MODIFIED 10m "$(node m 1 '')"
  happens ADDED '' "$(pod q '')"
} >outage.jsonl
expect 0 'as before again' "$berth" run --pods outage.jsonl --summary summary.json \
  --results results.jsonl
has results.jsonl '"name":"p","outcome":"scheduled","node":"n","evicted_because":"DeletionByTaintManager'
has summary.json '"evictions": {'
has summary.json '"evictions_over_time": {'
has summary.json '"pods_disrupted": 1,'

# A node that runs out of memory between two rounds of its kubelet kills a container, and evicts
# nobody: the summary counts it.
{
  happens ADDED '' '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"pods":"9","memory":"1Gi"}}}'
  happens ADDED '' "$(pod p '"berth/runs-for":"10m"')"
  happens ADDED 65s '{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetrics","metadata":{"name":"p","namespace":"default"},"containers":[{"name":"c","usage":{"memory":"2Gi"}}]}'
  happens ADDED 65s '{"apiVersion":"metrics.k8s.io/v1beta1","kind":"NodeMetrics","metadata":{"name":"n"},"usage":{"memory":"2Gi"}}'
} >memory.jsonl
expect 0 'containers killed: memory' "$berth" run --pods memory.jsonl --summary summary.json
has summary.json '"oom_kills": 1,'
has summary.json '"pods_disrupted": 0,'
has summary.json '"pods_succeeded": 1,'

# By the wall clock times have no effect, which is said.
expect 0 'its times count by the virtual clock alone' timeout 60 "$berth" run --pods jobs.jsonl \
  --clock wall --controllers ''

# Presets with times are JSON lines, and a run follows them.
"$loadgen" stream outage --set nodes=30 --set pods=100 --set services=10 --set replicas=20 \
  --set duration=2h --output load.jsonl 2>err
expect 0 scheduled "$berth" run --pods load.jsonl --summary summary.json
seconds=$(sed -n 's/.*"virtual_seconds": \([0-9]*\).*/\1/p' summary.json)
((seconds >= 5400 && seconds < 10800)) || fail "$seconds s passed"
grep -q '"pods_disrupted": [1-9]' summary.json || fail "$(grep disrupted summary.json)"
expect 1 'JSON lines alone can hold' "$loadgen" stream outage --output load.frames
expect 1 'JSON lines alone can hold' "$berth" convert load.jsonl --output load.frames
expect 1 'times of events are left out' "$berth" convert jobs.jsonl --output jobs.yaml
"$berth" convert jobs.jsonl --admission off --output again.jsonl 2>err
has again.jsonl '"time":"10s"'
has again.jsonl '"annotations":{"berth/runs-for":"1m30s","berth/exit-code":"3"}'
