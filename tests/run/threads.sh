#!/bin/bash
# One load binds the same pods to the same nodes on any number of threads, from a file and from a pipe:
#   threads.sh BERTH FOLDER
set -euo pipefail

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

run() {
  local name=$1
  shift
  "$berth" run --cluster nodes.jsonl --bindings "$name.jsonl" --seed 5 "$@" >"$name.page"
}
run alone --pods pods.jsonl --threads 1
run threads --pods pods.jsonl --threads 4
run reference --pods pods.jsonl --threads 4 --evaluation reference
run pipe --pods - --threads 4 < <(cat pods.jsonl)

for name in threads reference pipe; do
  cmp alone.jsonl "$name.jsonl"
done
bound=$(wc -l <alone.jsonl)
echo "$bound pods were bound"
((bound > 500))
