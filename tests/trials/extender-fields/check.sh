#!/bin/bash
# Extenders get pods and nodes as they came: from files, from lines of a watch, and what frames hold.
# usage: check.sh BIN OUTPUT
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1
out=$2
fail() { echo "extender-fields: $*" >&2; exit 1; }
server=
trap '[ -z "$server" ] || kill "$server"' EXIT

run() {  # NAME whole|frames ARGUMENT...
  local name=$1 form=$2
  shift 2
  rm -f "$out/port" "$out/$name.requests"
  python3 "$here/server.py" "$out/port" "$out/$name.requests" &
  server=$!
  for _ in $(seq 200); do [ -e "$out/port" ] && break; sleep 0.05; done
  [ -e "$out/port" ] || fail "the server does not start"
  sed "s/39013/$(cat "$out/port")/" "$here/config.yaml" > "$out/config.yaml"
  "$bin/berth" run --config "$out/config.yaml" "$@" > "$out/$name.page" 2> "$out/$name.messages" ||
    fail "$name: berth run ends with $?: $(cat "$out/$name.messages")"
  kill "$server"
  wait "$server" 2> /dev/null
  server=
  python3 "$here/compare.py" "$out/$name.requests" "$here" "$form" || fail "$name"
}

run files whole --cluster "$here/cluster.json" --pods "$here/pods.json"

python3 - "$here" > "$out/watch.jsonl" <<'END'
import json
import sys
with open(sys.argv[1] + "/cluster.json") as cluster, open(sys.argv[1] + "/pods.json") as pods:
    for thing in json.load(cluster)["items"] + [json.load(pods)]:
        print(json.dumps({"type": "ADDED", "object": thing}))
END
run watch whole --pods "$out/watch.jsonl"

"$bin/berth" convert "$here/cluster.json" "$here/pods.json" --output "$out/all.frames" 2> /dev/null
run frames frames --pods "$out/all.frames"
grep -q "all.frames: frames hold the part of pods and nodes" "$out/frames.messages" ||
  fail "no message tells that frames hold less"
