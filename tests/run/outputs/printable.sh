#!/bin/bash
# Names, reasons and file names with escape sequences, line breaks and bidirectional controls, given
# to every command: none reaches standard output, standard error or a binding as it is.
#   printable.sh BERTH BERTH_LOADGEN BERTH_BENCH FOLDER
set -euo pipefail

berth=$1 loadgen=$2 bench=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

fail() {
  echo "printable.sh: $*" | cat -v >&2
  exit 1
}

# What follows "zap" everywhere. In JSON and YAML strings, and as bytes on the command line.
escaped='zap\u001b[31m\nberth: forged\r\u0085\u009b31m\u007f\u061c\u200e\u202e\u2066\u2028'
raw=$'zap\e[31m\nberth: forged\r\u0085\u009b31m\x7f\u061c\u200e\u202e\u2066\u2028'

# Control characters but the line feed, C1, and the others above, as bytes of UTF-8.
hostile='[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'

checked=0
# harmless FILE...: that a terminal can show what a command wrote, and that it shows the hostile text.
harmless() {
  if LC_ALL=C grep -qaP "$hostile" "$@"; then fail "${what[*]}: wrote $(cat "$@")"; fi
  if LC_ALL=C grep -qa '^berth: forged' "$@"; then fail "${what[*]}: a line is forged: $(cat "$@")"; fi
  LC_ALL=C grep -qa 'zap' "$@" || fail "${what[*]}: did not show the text: $(cat "$@")"
  ((checked += 1))
}
# shows COMMAND...: runs it, whatever its exit status, and looks at both of its streams.
shows() {
  what=("$@")
  "$@" >out 2>err || true
  harmless out err
}

# A cluster whose names and keys are hostile, as a server that checks nothing may send it: objects
# with a UID are taken as they are.
cat >cluster.json <<END
{"apiVersion": "v1", "kind": "List", "items": [
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "free-$escaped", "uid": "1",
 "labels": {"topology.kubernetes.io/zone": "$escaped"}},
 "status": {"allocatable": {"cpu": "4", "pods": "1", "example.com/$escaped": "3"}}},
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "tainted", "uid": "2"},
 "spec": {"taints": [{"key": "$escaped", "value": "$escaped", "effect": "NoSchedule"}]},
 "status": {"allocatable": {"cpu": "4", "pods": "9"}}},
{"apiVersion": "v1", "kind": "$escaped", "metadata": {"name": "unread"}},
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "wrong", "uid": "3"},
 "status": {"allocatable": {"cpu": "$escaped"}}}]}
END
pod() {
  echo "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"$1\"}, \"spec\": {$2
    \"containers\": [{\"name\": \"c\", \"resources\": {\"requests\": {\"cpu\": \"1\"}}}]}}"
}
{ pod a '' && pod b ''; } >pods.json
pod a "\"topologySpreadConstraints\": [{\"maxSkew\": 1, \"topologyKey\": \"a/$escaped\",
  \"whenUnsatisfiable\": \"$escaped\"}]," >wrong.json
cp pods.json "$raw.json"
run=("$berth" run --cluster cluster.json)
shows "${run[@]}" --pods pods.json
shows "${run[@]}" --pods pods.json --summary -
shows "${run[@]}" --pods pods.json --bindings -
grep -q '"node":"free-zap\\u001b' out || fail "no binding to the node of that name: $(cat out)"
"${run[@]}" --pods pods.json --bindings "bindings.jsonl" >out 2>err || true
what=("bindings.jsonl")
harmless bindings.jsonl
shows "${run[@]}" --pods pods.json --results - --scores=9
shows "${run[@]}" --pods pods.json --results "$raw.jsonl"
shows "${run[@]}" --pods pods.json --events -
shows "${run[@]}" --pods pods.json --events "$raw.jsonl"
shows "${run[@]}" --pods pods.json -v=10
grep -q 'Successfully bound' err || fail "nothing is logged: $(cat err)"
shows "${run[@]}" --pods wrong.json
shows "${run[@]}" --pods pods.json --bindings "$raw.jsonl"
shows "${run[@]}" --pods "$raw.json" --summary "$raw.json"
shows "${run[@]}" --pods "no-$raw"
shows "${run[@]}" --pods "unix:$folder/$raw"
shows "${run[@]}" --pods pods.json --plugins "$raw"
BERTH_PLUGIN_PATH=$raw shows "${run[@]}" --pods pods.json
shows "${run[@]}" --pods pods.json --seed "$raw"
shows "${run[@]}" --pods pods.json "--$raw"
shows "${run[@]}" --pods pods.json --tie-break "$raw"
shows "${run[@]}" --pods pods.json --clock "$raw"
shows "${run[@]}" --pods pods.json --play-on "$raw"
shows "${run[@]}" --pods pods.json -v="$raw"
shows "$berth" "$raw"
for output in text wide json; do
  shows "$berth" diff --cluster cluster.json --pods pods.json --config ",$raw" -o $output
  shows "$berth" explain --cluster cluster.json --pod pods.json -o $output
  pod a '' >pod.json
  shows "$berth" explain --cluster cluster.json --pod pod.json -o $output
done
shows "$berth" explain --cluster cluster.json --pod "$raw"

# A text with a NUL does not cut the page.
sed 's/"tainted"/"nul\\u0000zap"/' cluster.json >nul.json
"$berth" explain --cluster nul.json --pod pod.json >out 2>err || true
what=(explain)
harmless out
grep -q '^free-zap' out || fail "the page is cut: $(cat out)"
grep -qF 'nul\x00zap' out || fail "the page has no NUL: $(cat out)"

# Configurations, cases and plugins.
config() {
  printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: %s\n' "$1"
}
config "[{schedulerName: a, plugins: {score: {enabled: [{name: \"$escaped\"}]}}}]" >config.yaml
shows "${run[@]}" --pods pods.json --config config.yaml
config "[{schedulerName: \"$escaped\"}, {schedulerName: \"$escaped\"}, {\"$escaped\": 1}]" >config.yaml
shows "${run[@]}" --pods pods.json --config config.yaml
shows "$berth" config validate config.yaml
shows "$berth" config convert config.yaml
config "[{schedulerName: \"$escaped\", pluginConfig: [{name: \"$escaped\", args: [\"$escaped\"]}]}]" >"$raw.yaml"
shows "$berth" config validate "$raw.yaml"
shows "$berth" config convert "$raw.yaml"
shows "$berth" config convert "no-$raw"
shows "$berth" config "$raw"
echo "{\"kind\": \"Policy\", \"predicates\": [{\"name\": \"$escaped\"}]}" >policy.json
shows "$berth" config validate policy.json
mkdir -p "$raw"
echo "{\"$escaped\": 1, \"objects\": 5}" >"$raw/case.json"
shows "$berth" evaluate "$raw/case.json"
shows "$berth" conformance "$raw"
# A colon would end the folder.
folder_of_plugins=${raw//:/}
mkdir "$folder_of_plugins"
echo 'no plugin' >"$folder_of_plugins/$raw.so"
shows "$berth" plugin list --plugins "$folder_of_plugins"
shows "$berth" plugin describe "$folder_of_plugins/$raw.so"
shows "$berth" plugin "$raw"

# The load generator.
printf 'apiVersion: berth/v1\nkind: Workload\nname: a\n"%s": 1\ncluster: {nodes: "%s"}\n' \
  "$escaped" "$escaped" >wrong.yaml
shows "$loadgen" check wrong.yaml
shows "$loadgen" pods wrong.yaml
shows "$loadgen" "$raw"
shows "$loadgen" show "$raw"
shows "$loadgen" pods "$raw"
shows "$loadgen" pods mixed --set "$raw=1"
shows "$loadgen" pods mixed --duration "$raw"
shows "$loadgen" pods mixed --output "/nowhere/$raw"
shows "$loadgen" pods mixed --listen "$raw"
cp cluster.json "$raw.json"
shows "$loadgen" check "$raw.json"
shows "$loadgen" cluster "$raw.json" --format list
shows "$loadgen" cluster "$raw.json" --format jsonl
mkdir trace
printf 'sn,cpu_milli,memory_mib,gpu,model\nn,1000,1000,0,\n' >trace/openb_node_list_all_node.csv
printf 'name,cpu_milli,memory_mib,num_gpu,gpu_milli\nzap\e[31m\u202e,1,1,0,0\na,zap\u009b,1,0,0\n' \
  >trace/openb_pod_list_a.csv
shows "$loadgen" check trace

# The benchmark.
cat >definition.yaml <<END
- name: "Case$escaped"
  workloadTemplate:
  - {opcode: createNodes, countParam: \$nodes}
  - {opcode: createPods, countParam: \$pods, collectMetrics: true}
  workloads: [{name: plain, params: {nodes: 5, pods: 10}}]
- name: "Broken"
  workloadTemplate: [{opcode: "$escaped"}]
  workloads: [{name: plain, params: {nodes: 5, pods: 10}}]
END
shows "$bench" list definition.yaml
shows "$bench" list definition.yaml -o json
shows "$bench" list definition.yaml --workload "$raw"
shows "$bench" "$raw"
once=(--warm-up 0 --repetitions 1)
shows "$bench" run definition.yaml --workload 'Case*' "${once[@]}"
shows "$bench" run definition.yaml --workload 'Case*' "${once[@]}" -o json
cp out results.json
shows "$bench" compare results.json results.json
shows "$bench" compare results.json results.json -o json
shows "$bench" compare results.json "$raw.json"
shows "$bench" compare results.json results.json --fail-if "$raw"
echo "$checked outputs"
