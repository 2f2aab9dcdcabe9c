#!/bin/bash
# Tests user errors: each has a message and the right exit status, and no data is lost:
#   refusals.sh BERTH LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
load=(mixed --set nodes=30 --set pods=100)
"$loadgen" cluster "${load[@]}" --output cluster.json 2>loadgen.log
"$loadgen" pods "${load[@]}" --output pods.json 2>loadgen.log
"$loadgen" pods "${load[@]}" --output pods.stream 2>loadgen.log
cp pods.json kept.json

# Flags.
expect 2 'there is no command "frobnicate"' "$berth" frobnicate
expect 2 'there is no command "sweep"; did you mean berth-bench sweep?' "$berth" sweep
expect 2 'there is no command "merge"; did you mean berth-bench merge?' "$berth" merge
expect 2 'there is no command "swep"; did you mean berth-bench sweep?' "$berth" swep
expect 2 'there is no command "loadgen"; did you mean berth-loadgen?' "$berth" loadgen
expect 2 'there is no command "bench"; did you mean berth-bench?' "$berth" bench
expect 2 'expected random or name, found "foo"' "$berth" run --tie-break foo --cluster a --pods b
expect 2 'expected reference or full or incremental, found "x"' "$berth" run --evaluation x --cluster a --pods b
expect 2 'found "18446744073709551616"' \
  "$berth" run --seed 18446744073709551616 --cluster a --pods b
expect 2 'from 0 to 100, found "101"' \
  "$berth" run --percentage-of-nodes-to-score 101 --cluster a --pods b
expect 2 'has no parameter "node"; it has nodes, pods, zones' \
  "$loadgen" cluster mixed --set node=5
expect 2 'preset mixed:11:10: cluster.zones: expected a whole number from 1 to 10000, found "$zones" = 0' \
  "$loadgen" cluster mixed --set zones=0

# Files.
run=("$berth" run --cluster cluster.json)
expect 1 'nowhere.json' "${run[@]}" --pods nowhere.json
expect 1 'can be read once' "$berth" run --cluster - --pods -
expect 0 'the input ends without nodes: name the cluster with --cluster' "$berth" run --pods pods.json
expect 1 'is an input' "${run[@]}" --pods pods.json --bindings pods.json
ln -s pods.json link.jsonl
expect 1 'is an input' "${run[@]}" --pods pods.json --bindings link.jsonl
expect 1 'is an input' "${run[@]}" --pods pods.json --summary cluster.json
expect 1 'cannot go to one file' "${run[@]}" --pods pods.json --bindings x.jsonl --summary x.jsonl
cmp pods.json kept.json
echo former >old.jsonl
expect 1 'nowhere.json' "${run[@]}" --pods nowhere.json --bindings old.jsonl
[[ ! -e old.jsonl ]]
expect 1 'nowhere/s' "${run[@]}" --pods pods.json --summary nowhere/s
expect 1 'a node of this name is there already' \
  "$berth" run --cluster cluster.json cluster.json --pods pods.json
expect 1 'no plugins (*.so)' "${run[@]}" --pods pods.json --plugins "$folder" --no-default-plugins

# Pods that an API server would reject are left out, each with the reason.
cat >bad.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: skewed}
spec:
  containers: [{name: c}]
  topologySpreadConstraints:
  - {maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
---
apiVersion: v1
kind: Pod
metadata: {name: nowhere}
spec:
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: a/b/c
---
apiVersion: v1
kind: Pod
metadata: {name: heavy}
spec:
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 101
        podAffinityTerm: {topologyKey: zone}
---
apiVersion: v1
kind: Pod
metadata: {name: fine}
spec: {containers: [{name: c}]}
END
preferred=preferredDuringSchedulingIgnoredDuringExecution
expect 1 'bad.yaml:7:15: spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be' \
  "${run[@]}" --pods bad.yaml --bindings bad.jsonl
grep -qF '[0].topologyKey: Invalid value: "a/b/c": a qualified name must consist of' err
grep -qF "$preferred[0].weight: Invalid value: 101: must be in the range 1-100" err
grep -q fine bad.jsonl
(($(wc -l <bad.jsonl) == 1))

# Files that are not cases.
echo '{"pods": {"a": 1}, "objects": []}' >case.json
expect 1 'case.json:1:10: is no conformance case: expected a list at pods' \
  "$berth" evaluate case.json
echo '{}' >case.json
expect 1 'expected a list of objects' "$berth" evaluate case.json

# Missing plugins.
enable() {
  echo "apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {score: {enabled: [{name: $1}]}}}]" >config.yaml
}
enable Frobnicate
expect 1 'config.yaml:3:41: profiles[0].plugins.score.enabled[0]: there is no plugin "Frobnicate"' \
  "${run[@]}" --pods pods.json --config config.yaml
enable ServiceAffinity
expect 1 'no plugin "ServiceAffinity": kube-scheduler had it once; use InterPodAffinity' \
  "${run[@]}" --pods pods.json --config config.yaml
enable EBSLimits
expect 1 '"EBSLimits": was invalid in version "kubescheduler.config.k8s.io/v1"' \
  "${run[@]}" --pods pods.json --config config.yaml
grep -qF ': use NodeVolumeLimits' err
# A plugin that ships and cannot be used is not taken for one that is not built.
cp -r "$(dirname "$berth")/../lib/berth/plugins" spoiled
truncate -s 4000 spoiled/node_resources_fit.so
cat >one.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: one}
spec: {containers: [{name: c}]}
END
for command in "run --pods pods.json --bindings spoiled.jsonl" "explain --pod one.yaml"; do
  # shellcheck disable=SC2086
  expect 1 'plugin "NodeResourcesFit": ' "$berth" $command --cluster cluster.json \
    --no-default-plugins --plugins "$PWD/spoiled"
  grep -qF 'node_resources_fit.so: truncated' err
done
[[ ! -s spoiled.jsonl ]]

# Without one of its plugins Berth would decide by other rules, so no program runs without it.
cp -r "$(dirname "$berth")/../lib/berth/plugins" fewer
rm fewer/node_resources_fit.so
for command in "run --pods pods.json --bindings fewer.jsonl" "explain --pod one.yaml"; do
  # shellcheck disable=SC2086
  expect 1 'no plugin folder has them: "NodeResourcesFit"' \
    "$berth" $command --cluster cluster.json --no-default-plugins --plugins "$PWD/fewer"
done
[[ ! -s fewer.jsonl ]]

# With --strict the first fault ends the run and is told once.
pod_line() { echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"},"spec":{'"$2"'"containers":[{"name":"c"}]}}}'; }
{ pod_line a '' && pod_line b '"nodeSelectors":{},'; } >strict.jsonl
{ pod_line a '' && pod_line a ''; } >twice.jsonl
{ pod_line a '' && pod_line b '"priority":"high",'; } >wrong.jsonl
for fault in strict:nodeSelectors twice:'is there already' wrong:'expected a number'; do
  expect 1 "${fault#*:}" "${run[@]}" --pods "${fault%%:*}.jsonl" --strict
  (($(grep -cF "${fault#*:}" err) == 1)) || fail "told more than once: $(cat err)"
  if grep -q ignored err; then fail "nothing is ignored with --strict: $(cat err)"; fi
done
expect 0 'did you mean nodeSelector? (ignored, once)' "${run[@]}" --pods strict.jsonl

# A kind with a typing error is told once, with the first place.
{ cat one.yaml && printf -- '---\napiVersion: v1\nkind: Nod\nmetadata: {name: %s}\n' a b; } >typo.yaml
expect 0 'typo.yaml:7:7: kind: no kind that is read is called "Nod"; did you mean Node?' \
  "${run[@]}" --pods typo.yaml
(($(grep -c 'did you mean' err) == 1)) || fail "told more than once: $(cat err)"

# Nodes without amounts are counted, with their places.
printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\n' a b >bare.yaml
expect 0 '2 nodes have neither allocatable nor capacity: a (bare.yaml:2:1), b (bare.yaml:6:1); no pod fits there' \
  "$berth" run --cluster bare.yaml --pods one.yaml

# A workload of the load generators is named as such.
"$loadgen" show mixed >load.yaml
expect 1 'there is only: 1 Workload.berth; a Workload of berth/v1 is synthetic load: measure it with berth-bench run' \
  "$berth" run load.yaml

# What kubectl prints of names alone.
printf 'NAME\nweb-0\nweb-1\n' >names
expect 1 'this is a table that kubectl prints for people' "${run[@]}" --pods names

# Outputs that cannot be written.
full() { "$@" >/dev/full; }
expect 1 'standard output: cannot be written' full "$berth" version
expect 1 'standard output: cannot be written' full "${run[@]}" --pods pods.json
expect 1 'No space left' full "${run[@]}" --pods pods.json --bindings -

# A damaged beginning costs only the frame that it is in: here the note.
printf '\xff' | dd of=pods.stream bs=1 seek=1 conv=notrunc status=none
expect 1 'byte 0: no frame begins here' "${run[@]}" --pods pods.stream --summary summary.json
grep -q '"pods_total": 100,' summary.json
# Input that is not a pod is named.
expect 1 'there is no pod in it, and pods are what is scheduled' "${run[@]}" --pods cluster.json
echo "$checked refusals"
