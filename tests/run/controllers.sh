#!/bin/bash
# The controllers that a run plays, as --controllers names them.
#   controllers.sh BERTH EXAMPLE FOLDER
# EXAMPLE is examples/evictions/two-taints.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 example=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

run=("$berth" run --cluster "$example/cluster.yaml" --pods "$example/watch.jsonl")
disrupted() { grep -o '"pods_disrupted": [0-9]*' summary.json; }

expect 0 'evicted by controllers' "${run[@]}" --summary summary.json
[[ $(disrupted) == '"pods_disrupted": 3' ]]
expect 0 scheduled "${run[@]}" --controllers '' --summary summary.json
[[ $(disrupted) == '"pods_disrupted": 0' ]]
expect 0 scheduled "${run[@]}" --controllers '*,-taint-eviction-controller' --summary summary.json
[[ $(disrupted) == '"pods_disrupted": 0' ]]
expect 0 'evicted by controllers' "${run[@]}" --controllers taint-eviction-controller
expect 2 'no controller is called "taints"; there are disruption-controller, ' "${run[@]}" \
  --controllers taints
