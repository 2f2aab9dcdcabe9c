# Budgets from manifests have no status: they are counted, and a message names them.
set -euo pipefail
bin=$1 out=$2
fail() { echo "pdb-nostatus: $*" >&2; exit 1; }

for cluster in cluster.json manifest.json; do
  "$bin/berth" run --cluster $cluster --pods pods.json -o json >"$out/summary" 2>"$out/err" ||
    fail "$cluster: $(cat "$out/err")"
  grep -q "PodDisruptionBudget has no status.disruptionsAllowed: default/[a-z-]*; the disruption controller counts it here" \
    "$out/err" || fail "$cluster: nothing says who counts the budget: $(cat "$out/err")"
  grep -q '"pods_evicted": 1,' "$out/summary" || fail "$cluster: $(grep evicted "$out/summary")"
done
