#!/bin/bash
# A live Deployment without pods is two pods in a run, after each conversion, and in berth-loadgen.
#   check.sh BIN OUTPUT
set -euo pipefail
bin=$1 output=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
# two_pods WHAT ARGUMENT...: the run schedules two pods.
two_pods() {
  local what=$1
  shift
  "$bin/berth" run "$@" --bindings "$output/bindings.jsonl" >"$output/out" 2>"$output/err" &&
    [[ $(wc -l <"$output/bindings.jsonl") == 2 ]] && return
  echo "convert-live-deployment: $what: $(cat "$output/err")" >&2
  exit 1
}
two_pods 'as it is' --cluster cluster.json --pods pods.json
for format in json yaml jsonl frames; do
  "$bin/berth" convert pods.json --part pods --output "$output/pods.$format" 2>"$output/err"
  two_pods "$format" --cluster cluster.json --pods "$output/pods.$format"
done
for format in jsonl frames; do
  "$bin/berth" convert cluster.json pods.json --output "$output/all.$format" 2>"$output/err"
  two_pods "all, $format" --pods "$output/all.$format"
done
{
  cat cluster.json
  echo ---
  cat pods.json
} >"$output/all.yaml"
"$bin/berth-loadgen" stream "$output/all.yaml" --output "$output/loadgen.frames" 2>"$output/err"
two_pods berth-loadgen --pods "$output/loadgen.frames"
