#!/bin/bash
# One load binds the same pods to the same nodes on any number of threads, from a file and from a pipe:
#   threads.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/same_bindings.sh"

berth=$1 folder=$2
mkdir -p "$folder"
cd "$folder"

# Four sizes of nodes in three zones; pods of five kinds, some of which spread over zones.
awk 'BEGIN { for (i = 0; i < 200; ++i)
  printf "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-%d\",\"labels\":{\"kubernetes.io/hostname\":\"node-%d\",\"topology.kubernetes.io/zone\":\"zone-%d\"}},\"status\":{\"allocatable\":{\"cpu\":\"%d\",\"memory\":\"%dGi\",\"pods\":\"20\"}}}\n",
    i, i, i % 3, 4 + i % 4 * 4, 16 + i % 4 * 16 }' >nodes.jsonl
awk 'BEGIN { for (i = 0; i < 1000; ++i) {
  spread = i % 5 == 0 ? ",\"topologySpreadConstraints\":[{\"maxSkew\":2,\"topologyKey\":\"topology.kubernetes.io/zone\",\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":{\"app\":\"a0\"}}}]" : ""
  printf "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"pod-%d\",\"labels\":{\"app\":\"a%d\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%dm\",\"memory\":\"%dMi\"}}}]%s}}\n",
    i, i % 5, 500 + i % 5 * 400, 256 + i % 5 * 512, spread } }' >pods.jsonl

cluster=nodes.jsonl
run_as alone --pods pods.jsonl --threads 1
run_as threads --pods pods.jsonl --threads 4
run_as reference --pods pods.jsonl --threads 4 --evaluation reference
run_as pipe --pods - --threads 4 < <(cat pods.jsonl)

same threads reference pipe
