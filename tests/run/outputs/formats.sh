#!/bin/bash
# Each command prints the formats that its help names, and refuses others with that list:
#   formats.sh BERTH BERTH_LOADGEN BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 bench=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

small=(mixed --set nodes=5 --set pods=20)
"$loadgen" cluster "${small[@]}" --output cluster.json 2>err
"$loadgen" pods "${small[@]}" --output pods.json 2>err
"$bench" run "${small[@]}" --warm-up 0 --repetitions 2 -o json >results.json 2>err
"$bench" sweep "${small[@]}" --vary percentage=10,100 -o json >sweep.json 2>err
"$berth" config defaults >config.yaml
cat >pod.json <<'JSON'
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c"}]}}
JSON
plugin=$(dirname "$berth")/../lib/berth/plugins/node_name.so
cases=$(dirname "${BASH_SOURCE[0]}")/../../conformance/cases/image-locality
all=("$cases"/*.json)
case=${all[0]}

# shape FORMAT COMMAND: the file out is of this format.
shape() {
  local first
  first=$(head -n 1 out)
  case $1 in
    json) [[ $first == [{[]* ]] ;;
    yaml) [[ $first != [{[]* ]] && grep -qE '^(- |[a-zA-Z_]+:)' out ;;
    name) ! grep -qvE '^[a-z]+/.+$' out ;;
    text) [[ $first != [{[]* ]] ;;
    wide)
      "${@:2}" -o text >text 2>err
      # What else the machine does differs from run to run.
      [[ $first != [{[]* && $(grep -vc '^disturbed: ' out) -ge $(grep -vc '^disturbed: ' text) ]]
      ;;
  esac
}

while read -r program command; do
  read -ra words <<<"$command"
  case $program in
    berth) words=("$berth" "${words[@]}") ;;
    loadgen) words=("$loadgen" "${words[@]}") ;;
    bench) words=("$bench" "${words[@]}") ;;
  esac
  [[ ${words[*]} != *CASES* ]] || words[2]=$cases
  [[ ${words[*]} != *CASE* ]] || words[2]=$case
  [[ ${words[*]} != *PLUGIN* ]] || words[3]=$plugin
  "${words[@]}" --help >help
  formats=$(sed -nE 's/^ +-o, *--output ([a-z|]+).*/\1/p' help)
  [[ $formats == *\|* ]] || fail "$program $command: no formats: $(cat help)"
  for format in text wide json yaml name; do
    if [[ "|$formats|" != *"|$format|"* ]]; then
      expect 2 "expected ${formats//|/ or }, found \"$format\"" "${words[@]}" -o $format
      continue
    fi
    status=0
    "${words[@]}" -o $format >out 2>err || status=$?
    ((status == 0)) || fail "$program $command -o $format: exit status $status: $(cat err)"
    shape $format "${words[@]}" || fail "$program $command -o $format prints $(head -n 5 out)"
    ((checked += 1))
  done
done <<'LIST'
berth run --cluster cluster.json --pods pods.json
berth explain --cluster cluster.json --pod pod.json
berth diff --cluster cluster.json --pods pods.json --percentage-of-nodes-to-score 50,100
berth evaluate CASE
berth conformance CASES
berth config validate config.yaml
berth config convert config.yaml
berth config defaults
berth plugin list
berth plugin describe PLUGIN
berth plugin check PLUGIN
berth version
loadgen list
bench list
bench run mixed --set nodes=5 --set pods=20 --warm-up 0 --repetitions 2
bench compare results.json results.json
bench sweep mixed --set nodes=5 --set pods=20 --vary percentage=10,100
bench merge sweep.json
LIST

# Columns that only -o wide has.
expect 0 '  FILE' "$berth" plugin list -o wide
expect 0 '  PARAMETERS' "$loadgen" list -o wide
expect 0 '  decision hash' "$bench" run "${small[@]}" --warm-up 0 --repetitions 1 -o wide
expect 0 '  samples' "$bench" compare results.json results.json -o wide
for command in "$berth plugin list" "$loadgen list"; do
  read -ra words <<<"$command"
  "${words[@]}" >out
  ! grep -qE '  (FILE|PARAMETERS)' out || fail "$command has the columns of -o wide"
done

run=("$berth" run --cluster cluster.json --pods pods.json)
# The names are those of the bindings, in their order; the summary is that of --summary.
"${run[@]}" -o name --bindings bindings.jsonl --summary summary.json >names 2>err
sed -nE 's/.*"name":"([^"]*)".*/pod\/\1/p' bindings.jsonl >wanted
[[ -s wanted ]] || fail "nothing was bound"
cmp names wanted || fail "other names: $(cat names)"
"${run[@]}" -o json >printed.json 2>err
for key in pods_scheduled decision_hash pods_total; do
  [[ $(grep "\"$key\"" printed.json) == "$(grep "\"$key\"" summary.json)" ]] || fail "-o json: other $key"
done
"${run[@]}" -o yaml >printed.yaml 2>err
[[ "decision_hash: $(sed -nE 's/.*"decision_hash": "(.*)",/\1/p' summary.json)" == \
  "$(grep decision_hash printed.yaml | tr -d '"')" ]] || fail "-o yaml: $(grep hash printed.yaml)"
# YAML of a command whose answer does not depend on time is the document of JSON.
"$berth" evaluate "$case" -o yaml >case.yaml
[[ $(wc -l <case.yaml) -gt 1 ]]
# What would be two things on standard output is refused.
for other in --bindings --summary --results; do
  expect 1 "-o yaml: standard output is that of $other" "${run[@]}" -o yaml $other -
done
expect 1 '-o wide: standard output is that of --summary' "${run[@]}" -o wide --summary -
expect 0 '"pods_total": 20' "${run[@]}" --summary -
expect 0 '  decisions per second' "${run[@]}"
# The node that a pod gets, and nothing if it gets none.
expect 0 'node/' "$berth" explain --cluster cluster.json --pod pod.json -o name
echo '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"nodeName": "", "nodeSelector": {"a": "b"}, "containers": [{"name": "c"}]}}' >none.json
"$berth" explain --cluster cluster.json --pod none.json -o name >out 2>err
[[ ! -s out ]] || fail "a pod without a node has one: $(cat out)"
# Faults of a configuration are in the document, with their places.
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofils: []\n' >wrong.yaml
expect 1 '"valid": false' "$berth" config validate wrong.yaml -o json
grep -q '"line": 3' out || fail "no line: $(cat out)"

# Long tables are cut, and whole with -o wide.
zones=20000
{
  echo 'apiVersion: v1'
  echo 'kind: List'
  echo 'items:'
  for ((i = 0; i < zones; ++i)); do
    echo "- {apiVersion: v1, kind: Node, metadata: {name: n$i, labels: {topology.kubernetes.io/zone: zone-$i}}, status: {allocatable: {cpu: 1, pods: 1}}}"
  done
} >zones.yaml
echo '{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "r"}, "spec": {"replicas": 20000, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}}}' >replicas.json
run=("$berth" run --cluster zones.yaml --pods replicas.json --percentage-of-nodes-to-score 1)
expect 0 '... and 19,990 more; -o wide prints all' "${run[@]}"
[[ $(wc -l <out) -lt 100 ]] || fail "$(wc -l <out) lines of 20,000 zones"
expect 0 'zone-19999' "${run[@]}" -o wide
[[ $(grep -c 'zone-' out) == "$zones" ]] || fail "$(grep -c 'zone-' out) zones with -o wide"
{
  echo '{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"pods": "10"'
  for ((i = 0; i < 100000; ++i)); do echo ", \"example.com/r$i\": \"1\""; done
  echo '}}}'
} >resources.json
run=("$berth" run --cluster resources.json --pods pod.json)
expect 0 'more; -o wide prints all' "${run[@]}"
[[ $(wc -l <out) -lt 100 ]] || fail "$(wc -l <out) lines of 100,000 resources"
expect 0 'example.com/r99999' "${run[@]}" -o wide
echo "$checked formats"
