#!/bin/bash
# Tests berth-bench as a user runs it: measurements, comparisons, reports, refusals, interrupts.
#   bench.sh BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

bench=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
small=(run mixed --set nodes=100 --set pods=500)
once=(--warm-up 0 --repetitions 1)

hashes() { sed -nE 's/.*"decision_hash": "([0-9a-f]+)".*/\1/p' "$1"; }
# A figure of the first run. The command itself has a member of the same name, which is skipped.
of_run() { sed -nE "s/^   \"$2\": ([0-9.e+-]+),?\$/\1/p" "$1" | head -n 1; }
number() { sed -nE "s/^ *\"$2\": ([0-9.e+-]+),?\$/\1/p" "$1" | head -n 1; }

# The list of workloads, and the output of one run.
expect 0 'mixed' "$bench" list
expect 0 '"workload": "mixed"' "$bench" list -o json
expect 0 'mixed' "$bench" "${small[@]}" --repetitions 2
"$bench" "${small[@]}" --repetitions 4 -o json >a.json
for member in workload nodes percentage_of_nodes_to_score evaluation threads pods_scheduled \
  pods_unschedulable decisions_per_second latency_seconds peak_memory_bytes decision_hash \
  queue_to_bound_seconds cpu_seconds extension_points hooks quality series grid samples command; do
  grep -q "\"$member\":" a.json || fail "the results have no $member"
done
# mimalloc takes large pages, unless its own variable says otherwise.
allocator() { sed -nE 's/^ *"allocator": "(.*)",$/\1/p' "$1"; }
if [[ $(allocator a.json) == mimalloc* ]]; then
  [[ $(allocator a.json) == *", large pages" ]] || fail "the heap has small pages"
  MIMALLOC_LARGE_OS_PAGES=0 "$bench" "${small[@]}" "${once[@]}" -o json >pages.json
  [[ $(allocator pages.json) != *"large pages" ]] || fail "large pages although they are refused"
  [[ $(hashes pages.json) == "$(hashes a.json)" ]] || fail "pages change decisions"
fi
[[ $(number a.json pods_total) == 500 && $(number a.json nodes) == 100 ]] || fail "not what was asked for"

# All digits, and the units in the heading.
"$bench" "${small[@]}" "${once[@]}" -o wide >wide
head -n 1 wide | grep -q 'decision p50 (s) .* memory (bytes) .* cpu (s) .* instructions/decision ' ||
  fail "no units: $(cat wide)"

# Variants of a workload: one run per combination, with the same decisions in every evaluation.
"$bench" "${small[@]}" "${once[@]}" --threads 1,2 --evaluation reference,full,incremental \
  -o json >ways.json
[[ $(hashes ways.json | wc -l) == 6 ]] || fail "not six runs"
[[ $(hashes ways.json | sort -u) == "$(hashes a.json)" ]] || fail "other decisions: $(hashes ways.json)"
"$bench" "${small[@]}" "${once[@]}" --seed 9 -o json >seeded.json
[[ $(hashes seeded.json) != "$(hashes a.json)" ]] || fail "the seed changes nothing"
expect 0 'nodes=50, 100 %' "$bench" run --set nodes=50,60 --set pods=100 \
  --percentage-of-nodes-to-score 0,100 "${once[@]}"

# Preemption: each pod is tried twice and takes the place of three others.
expect 0 '20 attempts for 10 bound pods' "$bench" run preemption --set nodes=20 --set pods=10 "${once[@]}"
head -n 1 out | grep -q '  decisions/s  ' || fail "no word for attempts: $(cat out)"
grep -q '10 preemptions that evict 30 pods' out || fail "preemption is not told: $(cat out)"
"$bench" run preemption --set nodes=20 --set pods=10 "${once[@]}" --threads 1,2 \
  --evaluation reference,full,incremental -o json >preempting.json
[[ $(number preempting.json pods_bound) == 10 && $(number preempting.json victims) == 30 ]] ||
  fail "not the pods that preempt"
[[ $(hashes preempting.json | sort -u | wc -l) == 1 ]] || fail "preemption decides otherwise"

# Comparisons: of a file with itself, with one of other decisions, and with one without samples.
expect 0 '100 nodes, default %' "$bench" compare a.json a.json
expect 0 'the same decisions' "$bench" compare a.json a.json --fail-if slower:5% --fail-if decisions
sed "s/$(hashes a.json)/0123456789abcdef/" a.json >other.json
expect 3 'other decisions' "$bench" compare a.json other.json --fail-if decisions
sed -E '/"samples"/,/\}/s/("decisions_per_second": )\[.*\]/\1[1.0, 1.1, 1.2, 1.3]/' a.json >slow.json
expect 3 'decisions_per_second is worse by' "$bench" compare a.json slow.json --fail-if slower:5%
expect 0 'better' "$bench" compare slow.json a.json --fail-if slower:5%
expect 0 '"significant": true' "$bench" compare a.json slow.json -o json
expect 1 'no run in common' "$bench" compare a.json seeded.json --fail-if decisions
expect 1 'expected decisions, slower:N%' "$bench" compare a.json a.json --fail-if faster:5%
echo '{' >broken.json
expect 1 'broken.json' "$bench" compare a.json broken.json

# Isolated plugins, by an option and by the configuration: the same decisions, and runs of their own.
cat >isolation.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
---
apiVersion: berth/v1
kind: PluginIsolation
plugins: [{name: NodeName, onFailure: Skip}]
END
"$bench" "${small[@]}" "${once[@]}" --config isolation.yaml --isolate NodePorts -o json >isolated.json
[[ $(hashes isolated.json) == "$(hashes a.json)" ]] || fail "isolated plugins decide otherwise"
grep -qF '"isolation": "NodeName (onFailure Skip), NodePorts"' isolated.json ||
  fail "the isolated plugins are not named"
expect 1 'no run in common' "$bench" compare a.json isolated.json --ignore configuration
expect 0 'the same decisions' "$bench" compare a.json isolated.json --ignore configuration,isolation
expect 1 '--isolate: no plugin folder has the plugin "Nope"' "$bench" "${small[@]}" --isolate Nope

# The trace is bounded.
"$bench" "${small[@]}" --repetitions 1 --trace trace.json --trace-events 100 >out
[[ $(grep -c '"cat":"cycle"' trace.json) -le 100 ]] || fail "more cycles than asked for"
grep -q '"dropped_events":"[1-9]' trace.json || fail "nothing is said of what was dropped"
expect 1 '--trace: records one run' "$bench" "${small[@]}" --threads 1,2 --trace trace.json
expect 1 'set --warm-up to 1 or more' "$bench" "${small[@]}" --warm-up 0 --trace trace.json

# Refusals before anything runs.
expect 2 'there is no command "frobnicate"' "$bench" frobnicate
expect 2 'nosuch: there is no such file, and no such preset' "$bench" run nosuch
expect 2 'nosuch' "$bench" list nosuch
expect 1 'nosuch.yaml: there is no such file' "$bench" run nosuch.yaml
expect 2 'no workload of mixed fits "x*"' "$bench" run mixed --workload 'x*'
expect 2 'has no parameter "pod"' "$bench" run mixed --set pod=5
expect 2 'expected NAME=VALUE' "$bench" run mixed --set pods
expect 2 'berth-bench run --help describes its use' "$bench" run mixed --set pods
expect 2 'is set twice' "$bench" run mixed --set pods=1 --set pods=2
expect 2 'expected a whole number' "$bench" run mixed --set pods=10,x
expect 2 'from 1 to 1024, found "0"' "$bench" run --threads 0
expect 1 '--speed: has no effect without --clock wall' "$bench" run --speed 5
expect 1 '--trace-events: has no effect without --trace' "$bench" run --trace-events 5
expect 1 '--trace: is the file of --report' "$bench" run --trace both.html --report both.html
expect 2 'expected DIR[:DIR...] or default' "$bench" run --plugins :
expect 1 '--no-default-plugins: leaves no folder' "$bench" run --no-default-plugins
expect 2 'none of these workloads has a parameter "nope"' "$bench" run mixed services --set nope=1
echo 'kind: Workload' >broken.yaml
expect 1 'broken.yaml: there is no workload in it' "$bench" run mixed broken.yaml
expect 2 'found "nan"' "$bench" run --speed nan
expect 2 'found "1e-300"' "$bench" run --speed 1e-300
expect 2 'from 1 to 10000000, found "100000000"' "$bench" run --trace-events 100000000
expect 1 'no/such.yaml' "$bench" "${small[@]}" --config no/such.yaml
expect 1 'cannot read the plugin folder' "$bench" "${small[@]}" --plugins /nonexistent
cp -r "$(dirname "$bench")/../lib/berth/plugins" fewer
rm fewer/node_resources_fit.so
expect 1 'no plugin folder has them: "NodeResourcesFit"' \
  "$bench" "${small[@]}" "${once[@]}" --no-default-plugins --plugins "$PWD/fewer"
# A plugin that ships and cannot be used is not taken for one that is not built.
cp -r "$(dirname "$bench")/../lib/berth/plugins" spoiled
truncate -s 4000 spoiled/node_resources_fit.so
expect 1 'plugin "NodeResourcesFit": ' "$bench" "${small[@]}" "${once[@]}" \
  --no-default-plugins --plugins "$PWD/spoiled"
if [[ -c /dev/full ]]; then
  expect 1 'standard output: cannot be written' \
    bash -c '"$@" >/dev/full' bash "$bench" "${small[@]}" "${once[@]}" -o json
fi

# A workload that needs a missing feature is named and does not run.
cat >definition.yaml <<'END'
- name: Case
  workloadTemplate:
  - {opcode: createNodes, countParam: $nodes}
  - {opcode: createPods, countParam: $pods, collectMetrics: true}
  workloads:
  - name: plain
    params: {nodes: 5, pods: 10}
  - name: gated
    featureGates: {GangScheduling: true}
    params: {nodes: 5, pods: 10}
END
if "$bench" list definition.yaml >out 2>err; then
  expect 0 'needs feature gate GangScheduling=true' "$bench" list definition.yaml
  expect 1 'failed: Case/gated: cannot run: needs feature gate GangScheduling=true' \
    "$bench" run definition.yaml "${once[@]}"
  grep -q '^Case/plain ' out || fail "what can be run beside it was not: $(cat out)"
  expect 0 'Case/plain' "$bench" run definition.yaml --workload '*/plain' "${once[@]}"
else
  fail "a definition of kube-scheduler's benchmark was not read: $(cat err)"
fi

# A folder is not a definition: its file is named.
mkdir -p misc
cp definition.yaml misc/performance-config.yaml
expect 1 'misc: is a folder: name the file performance-config.yaml in it' "$bench" run misc

# A failed run is named and does not affect the others. An existing report stays until the new one
# is complete.
cat >scene.yaml <<'END'
- name: Scene
  workloadTemplate:
  - {opcode: createNodes, countParam: $nodes}
  - {opcode: createPods, countParam: $pods}
  workloads:
  - name: quiet
    params: {nodes: 5, pods: 10}
END
expect 1 'failed: Scene/quiet: nothing of this workload is measured' \
  "$bench" run scene.yaml mixed "${once[@]}"
grep -q '^mixed ' out || fail "what had been measured was lost: $(cat out)"

# A parameter applies to the workloads that have it. The percentage is the configured one.
cat >half.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 50
END
"$bench" run mixed definition.yaml --workload '*i*' --set nodes=10 --set pods=20 --config half.yaml "${once[@]}" \
  -o json >half.json
[[ $(grep -c '"percentage_of_nodes_to_score": 50' half.json) -eq 2 ]] ||
  fail "the configured percentage is not in the results"

# With the wall clock: 2 planned seconds at twenty times the speed take a tenth of a second.
"$bench" run daily --set days=2s --set nodes=20 --clock wall --speed 20 "${once[@]}" -o json >wall.json
passed=$(of_run wall.json elapsed_seconds)
awk -v passed="$passed" 'BEGIN { exit !(passed > 0.09) }' ||
  fail "it did not wait for the planned times: $passed s"

# Half a second of pods with short lives, so that there are steps of events between those of pods.
cat >brief.yaml <<'END'
apiVersion: berth/v1
kind: Workload
name: brief
cluster: {nodes: 20, shapes: [{name: a, allocatable: {cpu: 8, memory: 8Gi, pods: 110}}]}
tick: 1ms
templates: [{name: a, requests: {cpu: 100m}, template: {spec: {containers: [{name: c}]}}}]
arrivals: [{constant: {rate: 50}, pods: 26, lifetime: 31ms}]
END
"$bench" run brief.yaml --clock wall "${once[@]}" -o json >brief.json
passed=$(of_run brief.json elapsed_seconds)
awk -v passed="$passed" 'BEGIN { exit !(passed >= 0.499) }' || fail "of half a second it counted $passed s"

# Ctrl-C: a report of the work done so far.
background "$bench" run --set nodes=500 --set pods=100000000 "${once[@]}" -o json >cut.json 2>err
# By processor time, so that a busy machine does not cut the run before it measures. A process of its
# own makes the measurement.
for ((i = 0; i < 600; ++i)); do
  sleep 0.2
  child=$(cut -d ' ' -f 1 /proc/$pid/task/$pid/children)
  [[ -n $child ]] || continue
  read -ra stat </proc/$child/stat || break
  ((stat[13] + stat[14] < 4 * $(getconf CLK_TCK))) || break
done
kill -INT -- "-$pid"
status=0
wait "$pid" || status=$?
((status == 130)) || fail "interrupted, it ended with $status: $(cat err)"
grep -q '"interrupted": true' cut.json || fail "the report does not say that it was interrupted"
[[ $(number cut.json pods_scheduled) -gt 0 ]] || fail "nothing was reported of what was done"

# The same while waiting for the next pod, with a signal to the program only.
sed 's/rate: 50/rate: 0.001/' brief.yaml >rare.yaml
background "$bench" run rare.yaml --clock wall "${once[@]}" -o json >rare.json 2>err
sleep 5
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
((status == 130)) || fail "interrupted while it waited, it ended with $status: $(cat err)"
grep -q '"interrupted": true' rare.json || fail "a report does not say that it was interrupted"

# Earlier runs do not add to the memory of later ones.
"$bench" "${small[@]}" "${once[@]}" --threads 1,1,1,1,1,1,1,1,1,1,1,1 -o json >many.json
sed -nE 's/^   "peak_memory_bytes": ([0-9]+),$/\1/p' many.json >peaks
[[ $(wc -l <peaks) == 12 ]] || fail "not twelve runs"
# Growth, and not a step: even the least of the last four is above the first four.
most=$(head -n 4 peaks | sort -n | tail -n 1) least=$(tail -n 4 peaks | sort -n | head -n 1)
((100 * least < 102 * most)) || fail "memory grows: $(cat peaks)"

echo "$checked commands behaved"
