# A file of pods brings the nodes, as tutorials have them in one file.
set -euo pipefail
bin=$1 out=$2
fail() { echo "nodes-in-pods: $*" >&2; exit 1; }

for input in "--pods pods.json" "--cluster cluster.json --pods pods.json" "pods.json"; do
  # shellcheck disable=SC2086
  "$bin/berth" run $input --summary "$out/summary" -o name >"$out/bound" 2>"$out/err" ||
    fail "$input: $(cat "$out/err")"
  [[ $(cat "$out/bound") == pod/w ]] || fail "$input: $(cat "$out/bound" "$out/err")"
done
