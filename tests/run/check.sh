#!/bin/bash
# Runs one load through the program in several ways; each must bind the same pods to the same nodes:
#   check.sh BERTH LOADGEN FOLDER
set -euo pipefail

berth=$1 loadgen=$2 folder=$3
mkdir -p "$folder"
cd "$folder"
load=(mixed --set nodes=200 --set pods=1000 --seed 2)
"$loadgen" cluster "${load[@]}" --output cluster.json
"$loadgen" pods "${load[@]}" --output pods.stream

run() {
  local name=$1
  shift
  "$berth" run --cluster cluster.json --bindings "$name.jsonl" --seed 5 "$@" >"$name.page"
}

run alone --pods pods.stream
run threads --pods pods.stream --threads 4
run reference --pods pods.stream --evaluation reference
"$loadgen" pods "${load[@]}" --output - | run pipe --pods -

for name in threads reference pipe; do
  cmp alone.jsonl "$name.jsonl"
done
bound=$(wc -l <alone.jsonl)
echo "$bound pods were bound"
((bound > 500))
