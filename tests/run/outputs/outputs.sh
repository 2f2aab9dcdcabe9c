#!/bin/bash
# The files that the programs write: none is an input, a former one is lost only to a complete one,
# and a full disk behind standard output is an error of every command.
#   outputs.sh BERTH BERTH_LOADGEN BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 bench=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

load=(mixed --set nodes=10 --set pods=20)
"$loadgen" cluster "${load[@]}" --output cluster.json 2>err
"$loadgen" pods "${load[@]}" --output pods.json 2>err
"$loadgen" show mixed >mixed.yaml
mkdir kept
cp ./*.json ./*.yaml kept
ln -s cluster.json link.json

# No program writes over its input.
from() {
  local file=$1
  shift
  "$@" <"$file"
}
onto() {
  local file=$1
  shift
  "$@" >>"$file"
}
run=("$berth" run --cluster cluster.json)
overwritten='would be written over, and it is an input'
expect 1 "pods.json: $overwritten" "${run[@]}" --pods pods.json --bindings pods.json
expect 1 "pods.json: $overwritten" from pods.json "${run[@]}" --pods - --bindings pods.json
expect 1 "pods.json: $overwritten" from pods.json "${run[@]}" --pods - --summary pods.json
expect 1 "link.json: $overwritten" "${run[@]}" --pods pods.json --summary link.json
expect 1 "mixed.yaml: $overwritten" "$loadgen" pods mixed.yaml --output mixed.yaml
expect 1 "mixed.yaml: $overwritten" from mixed.yaml "$loadgen" pods - --output mixed.yaml
expect 1 "link.json: $overwritten" "$loadgen" stream cluster.json --output link.json
expect 1 "standard output: $overwritten" onto cluster.json "$loadgen" stream cluster.json
expect 1 "mixed.yaml: $overwritten" "$bench" run mixed.yaml --trace mixed.yaml
cat >replay.yaml <<'END'
apiVersion: berth/v1
kind: Workload
name: replayed
templates: [{name: pod, template: {spec: {containers: [{name: main}]}}}]
arrivals: [{replay: {file: times.txt}}]
END
echo 1s >times.txt
expect 1 "times.txt: $overwritten" "$loadgen" pods replay.yaml --output times.txt
cat >suite.yaml <<'END'
- name: Case
  defaultPodTemplatePath: pod.yaml
  workloadTemplate:
  - {opcode: createNodes, countParam: $nodes}
  - {opcode: createPods, countParam: $pods, collectMetrics: true}
  workloads: [{name: plain, params: {nodes: 5, pods: 10}}]
END
cat >pod.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {generateName: pod-}
spec: {containers: [{name: main}]}
END
expect 1 "pod.yaml: $overwritten" "$loadgen" pods suite.yaml --output pod.yaml
mkdir trace
printf 'sn,cpu_milli,memory_mib,gpu,model\nn,1000,1000,0,\n' >trace/openb_node_list_all_node.csv
printf 'name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,0,0\n' >trace/openb_pod_list_a.csv
cp trace/*.csv kept
expect 1 "all_node.csv: $overwritten" "$loadgen" pods trace --output trace/openb_node_list_all_node.csv
expect 1 "list_a.csv: $overwritten" "$loadgen" pods trace --output trace/openb_pod_list_a.csv
cp kept/*.csv .
for file in cluster.json pods.json mixed.yaml; do cmp "$file" "kept/$file"; done
for file in trace/*.csv; do cmp "$file" "kept/${file#trace/}"; done
grep -q 1s times.txt

# A former summary is there until another is complete, which a failed run writes too.
echo former >summary.json
expect 1 'No space left' bash -c '"$@" --bindings - >/dev/full' bash \
  "${run[@]}" --pods pods.json --summary summary.json
grep -q '"error": ".*No space left' summary.json || fail "the summary of a failed run names no error"
echo former >summary.json
"$loadgen" pods "${load[@]}" --output pods.jsonl 2>err
mkfifo pipe
background bash -c '{ cat pods.jsonl && sleep 5; } >pipe'
background "${run[@]}" --pods pipe --summary summary.json >out 2>err
for ((i = 0; i < 50; ++i)); do
  [[ $(echo summary.json.*.part) == 'summary.json.*.part' ]] || break
  sleep 0.1
done
kill -KILL $pid
wait $pid 2>killed || true
grep -q former summary.json || fail "a run that was killed emptied the former summary"
rm summary.json.*.part
expect 0 'scheduled' "${run[@]}" --pods pods.json --summary summary.json
grep -q '"pods_total": 20,' summary.json || fail "no new summary"
[[ $(echo *.part) == '*.part' ]] || fail "left behind: $(echo *.part)"

# A reader of the bindings that goes away is an error like a full disk: with a message, a summary and
# no file left behind. The bindings are more than a pipe holds.
cat >room.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {pods: 100000}}
END
for ((i = 0; i < 5000; ++i)); do
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-'$i'"},"spec":{"containers":[{"name":"c"}]}}}'
done >many.jsonl
gone() { "$@" | head -n 1 >/dev/null; }
expect 1 '-: cannot be written: Broken pipe' \
  gone "$berth" run --cluster room.yaml --pods many.jsonl --bindings - --summary gone.json
grep -q '"error": ".*Broken pipe' gone.json || fail "the summary does not say that the reader went away"
grep -qE '"pods_per_second": ([1-9]|0\.0*[1-9])' gone.json ||
  fail "the summary does not tell the speed: $(grep second gone.json)"
grep -qE '"elapsed_seconds": ([1-9]|0\.0*[1-9])' gone.json || fail "the summary does not tell the time"
[[ $(echo *.part) == '*.part' ]] || fail "left behind: $(echo *.part)"

# Standard output on a full disk.
once=(--warm-up 0 --repetitions 1)
"$bench" run "${load[@]}" "${once[@]}" -o json >results.json 2>err
echo '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c"}]}}' >pod.json
full() { "$@" >/dev/full; }
while read -r command; do
  read -ra words <<<"$command"
  case ${words[0]} in
    berth) words[0]=$berth ;;
    loadgen) words[0]=$loadgen ;;
    bench) words[0]=$bench ;;
  esac
  expect 1 'No space left on device' full "${words[@]}"
done <<'END'
berth --help
berth version
berth version -o json
berth plugin list
berth plugin list -o json
berth explain --cluster cluster.json --pod pod.json
berth explain --cluster cluster.json --pod pod.json -o json
berth diff --cluster cluster.json --pods pods.json --percentage-of-nodes-to-score 50,100
berth run --cluster cluster.json --pods pods.json
berth run --cluster cluster.json --pods pods.json --summary -
berth run --cluster cluster.json --pods pods.json --bindings -
loadgen --help
loadgen list
loadgen schema
loadgen show mixed
loadgen check mixed.yaml
loadgen cluster mixed
loadgen pods mixed
loadgen stream mixed
bench --help
bench list
bench list -o json
bench run mixed --set nodes=10 --set pods=20 --warm-up 0 --repetitions 1
bench run mixed --set nodes=10 --set pods=20 --warm-up 0 --repetitions 1 -o json
bench compare results.json results.json
bench compare results.json results.json -o json
END
echo '{"format": "berth-bench/1", "results": []}' >empty.json
expect 1 'nothing was compared: empty.json and empty.json have no run in common' \
  "$bench" compare empty.json empty.json

# Tables of which nothing can be read.
printf 'name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,x,1,0,0\n' >trace/openb_pod_list_a.csv
expect 1 'list_a.csv: has no row of a pod that can be used' "$loadgen" pods trace
printf 'sn,cpu_milli,memory_mib,gpu,model\nn,x,1000,0,\n' >trace/openb_node_list_all_node.csv
expect 1 'all_node.csv: has no row of a node that can be used' "$loadgen" pods trace

# All programs say the version of the build.
version=$("$berth" version | sed -n 's/^berth \([^ ]*\).*/\1/p')
[[ -n $version ]] || fail 'berth version names no version'
expect 0 "berth $version" "$berth" --version
expect 0 "berth-loadgen $version" "$loadgen" --version
expect 0 "berth-bench $version" "$bench" --version

# Wrong options are named behind the command, with the nearest that there is.
expect 2 'berth run: unknown option --theads; did you mean --threads?' \
  "${run[@]}" --pods pods.json --theads 2
expect 2 'berth run: unknown option --pod; did you mean --pods?' "${run[@]}" --pod=pods.json
expect 2 'berth plugin: there is no command "lits"; did you mean list?' "$berth" plugin lits
expect 2 'berth version: unexpected argument "now"' "$berth" version now
expect 2 'berth run: --pods: expected the pods to schedule' "${run[@]}"
expect 2 'berth-loadgen pods: unknown option --sead; did you mean --seed?' "$loadgen" pods mixed --sead 5
expect 2 'berth-loadgen: there is no command "chek"; did you mean check?' "$loadgen" chek a.yaml
expect 2 'berth-bench run: unknown option --wam-up; did you mean --warm-up?' "$bench" run --wam-up 3
# A reader of all output that goes away is an error like another.
status=0
{ "$berth" run absent.yaml 2>&1 || echo $? >gone.status; } | true
[[ $(cat gone.status) == 1 ]] || fail "without readers it ended with $(cat gone.status)"

echo "$checked outputs"
