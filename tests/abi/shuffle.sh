#!/bin/bash
# A plugin that draws random numbers binds the same on any number of threads, in its own process, and by
# the reference evaluation, and another way with another seed; its metrics are in the summary:
#   shuffle.sh BERTH PLUGINS_OF_TESTS FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../run/expect.sh"
source "$here/shuffle_run.sh"

berth=$1 plugins=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/plugins"
cd "$folder"
cp "$plugins/shuffle.so" plugins

# Enough nodes for several threads.
awk 'BEGIN { for (i = 0; i < 3000; ++i)
  printf "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-%d\"},\"status\":{\"allocatable\":{\"cpu\":\"%d\",\"pods\":\"20\"}}}\n",
    i, 4 + i % 4 }' >nodes.jsonl
awk 'BEGIN { for (i = 0; i < 60; ++i)
  printf "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"pod-%d\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]}}\n",
    i, 500 + i % 3 * 400 }' >pods.jsonl
write_config

run_shuffle plugins alone --threads 1 --verify-evaluation 1
run_shuffle plugins two --threads 2 --verify-evaluation 1
run_shuffle plugins eight --threads 8
run_shuffle plugins reference --evaluation reference
run_shuffle plugins isolated --threads 8 --isolate Shuffle --verify-evaluation 1
for name in two eight reference isolated; do
  cmp alone.jsonl "$name.jsonl" || fail "$name binds otherwise"
done
[[ $(wc -l <alone.jsonl) == 60 ]] || fail "bound: $(wc -l <alone.jsonl)"
run_shuffle plugins seed --threads 1 --seed 4711
! cmp -s alone.jsonl seed.jsonl || fail 'another seed binds the same'

metric() {
  grep -A4 '"name": "shuffle_scores_total"' "$1" | grep -oE '"value": [0-9]+'
}
grep -qF '"help": "Scores that were drawn."' alone.json || fail "$(tail -20 alone.json)"
[[ $(metric alone.json) == '"value": 180000' ]] || fail "metric: $(metric alone.json)"
[[ $(metric alone.json) == "$(metric isolated.json)" ]] || fail "isolated: $(metric isolated.json)"
echo "$checked checks"
