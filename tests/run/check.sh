#!/bin/bash
# Runs one load through the program in several ways; each must bind the same pods to the same nodes:
#   check.sh BERTH LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/same_bindings.sh"

berth=$1 loadgen=$2 folder=$3
mkdir -p "$folder"
cd "$folder"
load=(mixed --set nodes=200 --set pods=1000 --seed 2)
"$loadgen" cluster "${load[@]}" --output cluster.json
"$loadgen" pods "${load[@]}" --output pods.stream

cluster=cluster.json
run_as alone --pods pods.stream
run_as threads --pods pods.stream --threads 4
run_as reference --pods pods.stream --evaluation reference
"$loadgen" pods "${load[@]}" --output - | run_as pipe --pods -

same threads reference pipe
