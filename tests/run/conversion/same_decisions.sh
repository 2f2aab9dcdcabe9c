#!/bin/bash
# What berth convert writes of the examples is decided as the examples are, in every format.
#   same_decisions.sh BERTH EXAMPLES FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 examples=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# decide NAME OPTIONS...: runs, and keeps what became of each pod in NAME.
decide() {
  local name=$1 status=0
  shift
  "$berth" run "$@" ${config[@]+"${config[@]}"} --results results.jsonl --summary summary.json \
    >page 2>err || status=$?
  # Scores and times follow from the order of arrival, which is that of the whole file in a stream.
  sed -E 's/^(.*"name":"[^"]*"),"outcome":"([a-z_]*)"(,"node":"[^"]*")?.*/\1 \2 \3/' results.jsonl |
    sort >"$name"
  grep -E '"(pods_(scheduled|unschedulable|evicted|gated|failed)|nominations)":' summary.json >>"$name"
}

compared=0
for example in "$examples"/*/*/; do
  [[ -f $example/cluster.yaml && -f $example/pods.yaml ]] || continue
  config=()
  if [[ -f $example/scheduler.yaml ]]; then config=(--config "$example/scheduler.yaml"); fi
  decide expected --cluster "$example/cluster.yaml" --pods "$example/pods.yaml"
  # Pods that admission refuses are rejected by convert, and named there.
  sed -i '/ rejected /d' expected
  [[ -s expected ]] || fail "$example: no pods"
  for format in jsonl frames; do
    "$berth" convert "$example/cluster.yaml" "$example/pods.yaml" --output all.$format 2>said || true
    decide got --pods all.$format
    diff expected got >difference || fail "$example as $format: $(cat difference said err)"
    ((compared += 1))
  done
  "$berth" convert all.frames --output again.jsonl 2>said || fail "$example: $(cat said)"
  decide got --pods again.jsonl
  diff expected got >difference || fail "$example as frames and lines: $(cat difference said err)"
  ((compared += 1))
  for format in json yaml; do
    "$berth" convert "$example/cluster.yaml" --output cluster.$format 2>said || true
    "$berth" convert "$example/pods.yaml" --output pods.$format 2>>said || true
    decide got --cluster cluster.$format --pods pods.$format
    sed -i '/ rejected /d' got
    diff expected got >difference || fail "$example as $format: $(cat difference said err)"
    ((compared += 1))
  done
done
((compared > 200)) || fail "only $compared conversions were compared"
echo "$compared conversions"
