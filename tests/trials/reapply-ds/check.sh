#!/bin/bash
# A DaemonSet that runs on both nodes is applied again: no pod is created.
#   check.sh BIN OUTPUT
set -euo pipefail
bin=$1 output=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
fail() {
  echo "reapply-ds: $*" >&2
  exit 1
}
"$bin/berth" run --cluster cluster.json --pods pods.json --bindings "$output/bindings.jsonl" \
  >"$output/out" 2>"$output/err" || fail "$(cat "$output/err")"
[[ ! -s $output/bindings.jsonl ]] || fail "created: $(cat "$output/bindings.jsonl")"
grep -q '2 pods of workloads exist already: DaemonSet kube-system/agent' "$output/err" ||
  fail "no message: $(cat "$output/err")"
