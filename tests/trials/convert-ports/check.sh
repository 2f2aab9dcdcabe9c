# Containers have ports that take none of the node's: no pod is lost on the way through a stream.
set -euo pipefail
bin=$1 out=$2
fail() { echo "convert-ports: $*" >&2; exit 1; }

for format in jsonl frames; do
  "$bin/berth" convert cluster.json pods.json --output "$out/all.$format" 2>"$out/err" ||
    fail "$format: $(cat "$out/err")"
  "$bin/berth" run --pods "$out/all.$format" -o name >"$out/bound" 2>"$out/err" ||
    fail "$format: $(cat "$out/err")"
  [[ $(wc -l <"$out/bound") == 2 ]] || fail "$format: $(cat "$out/bound" "$out/err")"
done
