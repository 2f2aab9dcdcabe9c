#!/bin/bash
# A Deployment with two running pods is applied again with three replicas: one pod is created, in
# the ReplicaSet that it has.
#   check.sh BIN OUTPUT
set -euo pipefail
bin=$1 output=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
fail() {
  echo "reapply: $*" >&2
  exit 1
}
# one_pod WHAT ARGUMENT...: the run creates one pod.
one_pod() {
  local what=$1
  shift
  "$bin/berth" run "$@" --bindings "$output/bindings.jsonl" >"$output/out" 2>"$output/err" ||
    fail "$what: $(cat "$output/err")"
  [[ $(wc -l <"$output/bindings.jsonl") == 1 ]] || fail "$what: $(cat "$output/bindings.jsonl")"
  grep -q '"web-abc-' "$output/bindings.jsonl" || fail "$what: $(cat "$output/bindings.jsonl")"
}
one_pod 'two files' --cluster cluster.json --pods pods.json
grep -q '2 pods of workloads exist already: Deployment default/web; only the missing pods are' \
  "$output/err" || fail "no message: $(cat "$output/err")"
for format in jsonl frames; do
  "$bin/berth" convert cluster.json --part cluster --output "$output/cluster.$format" 2>"$output/err"
  one_pod "a cluster of $format" --cluster "$output/cluster.$format" --pods pods.json
done
"$bin/berth" explain --cluster cluster.json --pod pods.json >"$output/out" 2>"$output/err" ||
  fail "explain: $(cat "$output/err")"
sed 's/"replicas": 3/"replicas": 2/' pods.json >"$output/two.json"
if "$bin/berth" explain --cluster cluster.json --pod "$output/two.json" 2>"$output/err"; then
  fail 'explain: no pod is missing'
fi
grep -q 'all pods of its workloads exist already' "$output/err" || fail "$(cat "$output/err")"
