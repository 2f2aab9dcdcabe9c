# How many of these pods fit? More pods are refused than can be tried in five minutes of the clock.
set -euo pipefail
bin=$1 out=$2
fail() { echo "many-unschedulable: $*" >&2; exit 1; }

timeout 300 "$bin/berth" run cluster.json pods.yaml --summary "$out/summary" >"$out/page" 2>"$out/err" ||
  fail "the run ends with status $?: $(cat "$out/err")"
for count in "pods_scheduled\": 630," "pods_unschedulable\": 349370," "pods_untried\": 0,"; do
  grep -q "\"$count" "$out/summary" || fail "not $count: $(grep -E '"pods_' "$out/summary")"
done
