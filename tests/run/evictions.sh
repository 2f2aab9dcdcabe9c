#!/bin/bash
# berth-bench plays controllers as berth run does: with a load that is for them, both make the same
# decisions and tell the same of its evictions.
#   evictions.sh BERTH BERTH_LOADGEN BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 bench=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
once=(--warm-up 0 --repetitions 1)

# What a document tells of decisions and evictions. Of the course, the part from the first eviction
# on: a run reads ahead of its decisions, so more of its pods may have come before them.
told() {
  python3 - "$1" <<'PY'
import json, sys

def found(value, key):
    if isinstance(value, dict) and key in value:
        return value[key]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return next((hit for one in inner if (hit := found(one, key)) is not None), None)

document = json.load(open(sys.argv[1]))
evictions = found(document, "evictions") or None
print(found(document, "decision_hash"), found(document, "pods_disrupted") or 0, evictions)
course = found(document, "evictions_over_time")
if evictions and course:
    rows = zip(*(course[name] for name in sorted(course)))
    at = sorted(course).index("seconds")
    print([row for row in rows if row[at] >= evictions["first_seconds"]])
PY
}
same() { # PRESET LIST SETTING...
  local preset=$1 list=$2 settings=()
  for setting in "${@:3}"; do settings+=(--set "$setting"); done
  "$loadgen" stream "$preset" "${settings[@]}" --output load.jsonl 2>err
  "$berth" run --pods load.jsonl --controllers "$list" --summary summary.json >out
  "$bench" run "$preset" "${settings[@]}" --controllers "$list" "${once[@]}" -o json >bench.json
  # Without evictions a summary says so, and results have nothing.
  diff <(told summary.json) <(told bench.json) ||
    fail "$preset with controllers \"$list\": a run and berth-bench differ"
}

outage=(nodes=30 services=10 replicas=20 pods=100 duration=6h)
same outage '*' "${outage[@]}"
grep -q '"settled_seconds"' bench.json || fail "the outage is not over: $(cat bench.json)"
same outage '' "${outage[@]}"
same outage '*,-taint-eviction-controller' "${outage[@]}"
same rolling-drain '*' nodes=20 services=8 replicas=20 pods=80 duration=110m
same pressure '*' nodes=5 pods=100

# The table has a line about evictions, where there are any.
settings=(--set nodes=30 --set services=10 --set replicas=20 --set pods=100 --set duration=6h)
expect 0 'controllers evict ' "$bench" run outage "${settings[@]}" "${once[@]}"
expect 0 scheduled "$bench" run outage "${settings[@]}" "${once[@]}" --controllers ''
! grep -q 'controllers evict' out || fail "evictions without controllers: $(cat out)"
expect 2 'no controller is called "taints"' "$bench" run outage --controllers taints
"$bench" run pressure --set nodes=5 --set pods=100 --controllers '' "${once[@]}" -o json >none.json
expect 1 'no run in common' "$bench" compare bench.json none.json
expect 0 ' decisions' "$bench" compare bench.json none.json --ignore controllers

echo "$checked commands behaved"
