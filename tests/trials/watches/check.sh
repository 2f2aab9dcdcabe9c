# Ordinary watches: pods that finish and go, a node that goes with its pods, pods before their nodes,
# and lists that are watched again. None of it is an error.
set -euo pipefail
bin=$1 out=$2
fail() { echo "watches: $*" >&2; exit 1; }

# play SCHEDULED UNSCHEDULABLE INPUT...: the run exits with 0 and says nothing on stderr.
play() {
  local scheduled=$1 unschedulable=$2
  shift 2
  "$bin/berth" run "$@" --summary "$out/summary" >"$out/page" 2>"$out/err" || fail "$*: $(cat "$out/err")"
  [[ ! -s $out/err ]] || fail "$*: $(cat "$out/err")"
  for count in "errors_in_input\": 0," "pods_scheduled\": $scheduled," "pods_unschedulable\": $unschedulable,"; do
    grep -q "\"$count" "$out/summary" || fail "$*: not $count: $(grep -E 'pods_|errors' "$out/summary")"
  done
}

for watch in finished-deleted finished-first finished-modified pending-deleted node-gone relist; do
  play 1 0 $watch.jsonl
done
play 0 1 pods-first.jsonl
play 0 1 --cluster pods-first-list.json --pods pods-first-pods.json
play 0 1 pods-first-list.json pods-first-pods.json
play 1 0 relist-newer.jsonl # the node has grown from 4 to 8 cores, and the pod asks for 6

# The same after conversion, which keeps the events.
for watch in *.jsonl; do
  "$bin/berth" convert "$watch" --output "$out/all.frames" 2>"$out/err" || fail "$watch: $(cat "$out/err")"
  "$bin/berth" run --pods "$out/all.frames" -o name >"$out/bound" 2>"$out/err" || fail "$watch as frames: $(cat "$out/err")"
done
