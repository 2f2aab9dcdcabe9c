#!/bin/bash
# berth convert: equal decisions after any conversion, what is named, and what is refused.
#   convert.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# works COMMAND...: the command exits with 0, whether it prints something or not.
works() {
  "$@" >out 2>err || fail "$*: $(cat out err)"
  ((checked += 1))
}
# decides WANTED OPTION...: the run's decisions have this hash.
decides() {
  local wanted=$1
  shift
  works "$berth" run "$@" --summary summary.json
  grep -qF "\"decision_hash\": \"$wanted\"" summary.json || fail "other decisions of: $*"
  ((checked += 1))
}

# A whole stream as lines and back. It places few pods: the sanitizers run this too.
for load in 'mixed --set pods=600' 'services --set duration=30s'; do
  "$loadgen" stream $load --set nodes=100 --seed 7 --output whole.frames >/dev/null 2>&1 ||
    fail "no stream of $load"
  works "$berth" run --pods whole.frames --summary summary.json
  whole=$(sed -n 's/.*"decision_hash": "\([0-9a-f]*\)".*/\1/p' summary.json)
  works "$berth" convert whole.frames --output whole.jsonl
  decides "$whole" --pods whole.jsonl
  works "$berth" convert whole.jsonl --admission off --output again.frames
  decides "$whole" --pods again.frames
  works "$berth" convert again.frames --to jsonl
  cmp whole.jsonl out
done
# New objects are validated by the rules of a version, where they are validated.
echo '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","restartPolicy":"Never"}]}}' >new.json
works "$berth" convert new.json --to jsonl
expect 1 'may not be set for non-init containers' "$berth" convert new.json --to jsonl --kube-version 1.34
works "$berth" convert new.json --to jsonl --kube-version 1.36
expect 1 '--kube-version: has no effect' "$berth" convert new.json --to json --kube-version 1.34
expect 1 '--kube-version: has no effect' "$berth" convert new.json --to jsonl --kube-version 1.34 --admission off
expect 2 'expected one of 1.34, 1.36' "$berth" convert new.json --to jsonl --kube-version 1.2
# Each step between two of the four formats, of a cluster and of pods: a way that takes each once.
way=(json json yaml json jsonl json frames yaml yaml jsonl yaml frames jsonl jsonl frames frames json)
"$loadgen" cluster mixed --set nodes=100 --seed 7 --output cluster-0.json 2>/dev/null >&2
"$loadgen" pods mixed --set pods=400 --seed 7 --output pods-0.json >/dev/null 2>&1
cp cluster-0.json cluster.json
cp pods-0.json pods.json
works "$berth" run --cluster cluster.json --pods pods.json --summary summary.json
hash=$(sed -n 's/.*"decision_hash": "\([0-9a-f]*\)".*/\1/p' summary.json)
for ((i = 1; i < ${#way[@]}; ++i)); do
  from=$((i - 1)).${way[i - 1]} to=$i.${way[i]}
  for part in cluster pods; do
    works "$berth" convert $part-$from --part $part --output $part-$to
  done
  # A step that alters something shows at the end of its four.
  ((i % 4 != 0)) || decides "$hash" --cluster cluster-$to --pods pods-$to
done
# Both in one, and apart again.
works "$berth" convert cluster.json pods.json --output all.frames
decides "$hash" --pods all.frames
works "$berth" convert - --to yaml --part pods <all.frames
cp out pods.yaml
works "$berth" convert all.frames --part cluster --output cluster.yaml
decides "$hash" --cluster cluster.yaml --pods pods.yaml

# Manifests are expanded and admitted with what stands beside them.
cat >manifests.yaml <<'END'
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 77
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  strategy: {type: Recreate}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {priorityClassName: high, containers: [{name: c, image: i, command: [run]}]}
END
expect 0 'not in the output: Deployment.spec.strategy (1)' \
  "$berth" convert manifests.yaml --to jsonl
[[ $(grep -c '"priority":77' out) == 2 ]] || fail "not two pods with their priority: $(cat out)"
grep -qF 'Deployment.spec.template.spec.containers[].command (1)' err
grep -qF 'objects of kind PriorityClass (1)' err
expect 0 'kind: PriorityClass' "$berth" convert manifests.yaml --to yaml
grep -qF 'command:' out
[[ ! -s err ]] || fail "something was named: $(cat err)"

# Objects with a fault are left out, their neighbours stay.
cat >faults.yaml <<'END'
{kind: Node, apiVersion: v1, metadata: {name: a}}
---
{kind: Node, apiVersion: v1, metadata: {name: b}, spec: {taints: 5}}
---
{kind: Node, apiVersion: v1, metadata: {name: c}}
END
for format in json yaml jsonl frames; do
  expect 1 'faults.yaml:3' "$berth" convert faults.yaml --output left.$format
  works "$berth" convert left.$format --to jsonl
  [[ $(wc -l <out) == 2 ]] || fail "$format: not two nodes: $(cat out)"
done

# An output is none of the inputs, under any name.
ln -s pods.json link.json
for output in pods.json ./link.json; do
  before=$(cksum <pods.json)
  expect 1 "$output" "$berth" convert cluster.json pods.json --to json --output $output
  [[ $(cksum <pods.json) == "$before" ]] || fail "pods.json was changed"
done
expect 1 'say --to json, yaml, jsonl or frames' "$berth" convert pods.json
expect 1 'absent.json' "$berth" convert absent.json --to yaml
expect 1 'can be read once' "$berth" convert - - --to yaml
expect 2 'expected json or yaml or jsonl or frames' "$berth" convert pods.json --to xml
echo "$checked checks"
