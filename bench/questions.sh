#!/bin/bash
# Times `berth fit` and `berth need` on large inputs, which it makes in the folder.
#   questions.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail

berth=$1 loadgen=$2 folder=$3
mkdir -p "$folder"
cd "$folder"

deployment() { # deployment NAME CPU MEMORY REPLICAS
  printf -- '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: %s, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: %s, memory: %s}}}]}}}\n' "$1" "$4" "$1" "$1" "$2" "$3"
}
template() { # template NAME CPU MEMORY PRICE, in thousandths
  printf -- '---\napiVersion: berth/v1\nkind: NodeTemplate\nmetadata: {name: %s}\nprice: %d.%03d\nstatus: {allocatable: {cpu: "%s", memory: %s, pods: "110"}}\n' "$1" $(($4 / 1000)) $(($4 % 1000)) "$2" "$3"
}
timed() { # timed COMMAND...: its first line, and the seconds that it takes
  local begin=$EPOCHREALTIME line
  line=$("$@" 2>err | head -1)
  awk -v a="$begin" -v b="$EPOCHREALTIME" -v line="$line" 'BEGIN { printf "%6.2f s  %s\n", b - a, line }'
}

# 5,000 nodes with room for the pods of a large cluster.
"$loadgen" cluster mixed --output nodes.json 2>err
sed 's/"pods":"110"/"pods":"1000"/g' nodes.json >wide.json
deployment web 100m 100Mi 1 >web.yaml
deployment tiny 30m 30Mi 1 >tiny.yaml
timed "$berth" fit --cluster nodes.json --pod web.yaml --count 300000
timed "$berth" fit --cluster wide.json --pod tiny.yaml --count 1000000

# 20,000 pods of 100 kinds, and ten kinds of nodes.
for ((i = 0; i < 100; ++i)); do
  deployment "kind-$i" $((100 + i * 37 % 40 * 50))m $((128 + i * 53 % 64 * 64))Mi 200
done >pods.yaml
for size in 4 8 16 32 64; do
  template "general-$size" $size $((size * 4))Gi $((size * 48))
  template "memory-$size" $size $((size * 8))Gi $((size * 63))
done >templates.yaml
timed "$berth" need pods.yaml --node-template templates.yaml
