#!/bin/bash
# Builds shuffle.rs against the crate, and runs it: it binds as the example of the same name in C++ does,
# and its metrics are in the summary.
#   services.sh BERTH ROOT PLUGINS_OF_TESTS FOLDER
# Exits with status 77 where there is no cargo.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/cargo.sh"
source "$here/../../run/expect.sh"
source "$here/../shuffle_run.sh"

berth=$1 root=$2 examples=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder/cc"
cd "$folder"
need_cargo "$folder"
build_plugin "$here/shuffle.rs" "$root" "$folder"
cp "$examples/shuffle.so" cc

for i in {1..200}; do
  printf '{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%d"},"status":{"allocatable":{"cpu":"4","pods":"20"}}}\n' "$i"
done >nodes.jsonl
for i in {1..50}; do
  printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%d"},"spec":{"containers":[{"name":"c"}]}}\n' "$i"
done >pods.jsonl
write_config
run_shuffle cc cc
run_shuffle plugins rust
run_shuffle plugins isolated --isolate Shuffle --threads 2
[[ $(wc -l <rust.jsonl) == 50 ]] || fail "bound: $(wc -l <rust.jsonl)"
for name in rust isolated; do
  cmp cc.jsonl "$name.jsonl" || fail "$name binds otherwise than C++"
  grep -A4 '"name": "shuffle_scores_total"' "$name.json" | grep -qF '"value": 10000' ||
    fail "no count of scores: $(tail -30 "$name.json")"
  # A run in virtual time begins in 2024.
  grep -A4 '"name": "shuffle_time_seconds"' "$name.json" | grep -qE '"value": 17[0-9]{8}' ||
    fail "no time: $(tail -30 "$name.json")"
done
expect 0 ' 0 failed' "$berth" plugin check plugins/shuffle.so
echo "$checked checks"
