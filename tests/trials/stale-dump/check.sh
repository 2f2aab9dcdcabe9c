# A dump with an evicted pod, terminating pods, a pod on a node that is gone, and nodes without
# allocatable or status: the same apart and together.
set -euo pipefail
bin=$1 out=$2
fail() { echo "stale-dump: $*" >&2; exit 1; }

for input in "--cluster cluster.json --pods pods.json" "cluster.json pods.json" "pods.json cluster.json"; do
  # shellcheck disable=SC2086
  "$bin/berth" run $input --summary "$out/summary" --bindings "$out/bound.jsonl" >"$out/page" 2>"$out/err" ||
    fail "$input: $(cat "$out/err")"
  grep -q '"node":"b"' "$out/bound.jsonl" || fail "$input: $(cat "$out/bound.jsonl" "$out/page")"
  grep -q '"pods_placed_before": 3,' "$out/summary" || fail "$input: $(grep placed "$out/summary")"
  grep -q '1 pod runs on a node that is not among the nodes: default/orphan on deleted-node' "$out/err" ||
    fail "$input: the node that is gone is not named: $(cat "$out/err")"
done
"$bin/berth" explain cluster.json pods.json --pod default/w -o name >"$out/node" 2>"$out/err" ||
  fail "explain: $(cat "$out/err")"
[[ $(cat "$out/node") == node/b ]] || fail "explain: $(cat "$out/node")"
