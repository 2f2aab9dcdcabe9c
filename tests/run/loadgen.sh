#!/bin/bash
# Tests the delivery of loads: broken files, full disks, readers that stop or close, Ctrl-C,
# sockets, watch events instead of frames:
#   loadgen.sh BERTH LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/background.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

checked=0
fail() {
  echo "$*" >&2
  cat err >&2
  exit 1
}
# said TEXT: the last command printed TEXT on stderr.
said() {
  grep -qF -- "$1" err || fail "expected \"$1\":"
  ((checked += 1))
}
# ends STATUS COMMAND...: the command exits with STATUS.
ends() {
  local status=0 wanted=$1
  shift
  "$@" >out 2>err || status=$?
  ((status == wanted)) || fail "$*: exit status $status, expected $wanted:"
}

# Files.
cat >broken.yaml <<'END'
apiVersion: berth/v1
kind: Workload
name: broken
cluster:
  nodes: 10
  shapes:
  - {name: a, weight: heavy, allocatable: {cpu: 4}}
arivals: []
END
ends 1 "$loadgen" check broken.yaml
said 'broken.yaml:7:23: cluster.shapes[0].weight: expected a whole number from 0 to 4294967296, found "heavy"'
said 'broken.yaml:8:1: arivals: there is no field "arivals" here'
said '2 faults found'
ends 1 "$loadgen" pods broken.yaml --output x.stream
[[ ! -e x.stream ]]
: >empty.yaml
ends 1 "$loadgen" check empty.yaml
said 'holds no workload'
ends 1 "$loadgen" pods nowhere.yaml
said 'presets are batch, churn, daily, gpu, growth, mixed, outage, preemption, pressure, rolling-drain, services, volumes'
ends 2 "$loadgen" pods nowhere
said 'nowhere: there is no such file, and no such preset'
ends 2 "$loadgen" show nowhere
said 'there is no preset "nowhere"'
ends 2 "$loadgen" pods mixed --set pods
said '--set: expected NAME=VALUE, found "pods"'
ends 2 "$loadgen" pods mixed --set pods=1 --set pods=2
said 'is set twice'
ends 2 "$loadgen" pods mixed --duration soon
said 'expected a time such as 10s or 1m30s, found "soon"'
for preset in $("$loadgen" list -o name | cut -d / -f 2); do
  "$loadgen" show "$preset" >"$preset.yaml"
  ends 0 "$loadgen" check "$preset.yaml"
  ((checked += 1))
done
ends 1 "$loadgen" pods churn --output churn.json
said 'a list (*.json) cannot tell what happens between pods'

# A preset and its file give the same bytes.
"$loadgen" stream churn --set nodes=50 --set pods=500 --seed 4 --output a.stream 2>err
"$loadgen" stream churn.yaml --set nodes=50 --set pods=500 --seed 4 --output b.stream 2>err
cmp a.stream b.stream

# Outputs that cannot be written, and missing readers.
full() { "$@" >/dev/full; }
ends 1 full "$loadgen" pods mixed
said 'standard output: cannot be written: No space left on device'
said 'wrote nothing'
gone() { "$@" | head -c 100 >/dev/null; }
ends 1 gone "$loadgen" pods mixed --set pods=1000000
said 'standard output: the reader has closed it'
said 'wrote '
ends 2 "$loadgen" pods mixed --pace --speed nan
said 'expected a number from 0.001 to 1e+09, found "nan"'
stuck() { "$@" | sleep 3; }
ends 1 stuck "$loadgen" pods mixed --set pods=10000000 --give-up 300ms
said 'no reader for too long: given up'
ends 1 stuck "$loadgen" pods daily --pace --speed 1000 --give-up 1s
said 'lost: '
said 'lateness of '
cat >years.yaml <<'END'
apiVersion: berth/v1
kind: Workload
name: years
duration: 100000h
cluster: {nodes: 3, shapes: [{name: a, allocatable: {pods: 9}}]}
churn: {nodeLabels: [{every: 10ms, key: a, values: [b]}]}
END
ends 1 gone timeout -k 1 20 "$loadgen" pods years.yaml --pace
said 'standard output: the reader has closed it'

# Pacing by the wall clock.
cat >steady.yaml <<'END'
apiVersion: berth/v1
kind: Workload
name: steady
templates:
- {name: pod, template: {spec: {containers: [{name: main}]}}}
arrivals:
- {constant: {rate: 1000}, pods: 100000}
END
begin=$(date +%s%N)
ends 0 "$loadgen" pods steady.yaml --pace --duration 1s --output steady.stream
took=$((($(date +%s%N) - begin) / 1000000))
((took >= 900)) || fail "1 s of load on the clock took $took ms"
said 'lateness of '
# The number depends on the load of the machine, but never exceeds what is due until then plus a
# tick.
pods=$(sed -nE 's/.*wrote ([0-9,]+) pods.*/\1/p' err | tr -d ,)
((pods > 100 && pods <= 1006)) || fail "expected up to 1006 pods:"

# The first Ctrl-C ends the load in order.
background "$loadgen" pods steady.yaml --pace --output cut.stream 2>err
until_true $pid test -s cut.stream  # a signal before that is lost
kill -INT $pid
status=0
wait $pid || status=$?
((status == 130)) || fail "exit status $status after Ctrl-C"
said 'stopped early; wrote '
"$loadgen" cluster mixed --set nodes=30 --output cluster.json 2>err
run=("$berth" run --cluster cluster.json --seed 3)
ends 0 "${run[@]}" --pods cut.stream

# The second Ctrl-C ends it at once, even if no reader reads.
mkfifo pipe
background bash -c 'exec sleep 60 <>pipe'
sleeper=$pid
background "$loadgen" pods mixed --set pods=10000000 --output pipe 2>err
until_true $pid blocked $pid
kill -INT $pid
sleep 0.3
kill -INT $pid
status=0
wait $pid || status=$?
kill $sleeper
((status == 130)) || fail "exit status $status after a second Ctrl-C"
said 'interrupted twice'

# Sockets, connecting and listening.
"$loadgen" pods mixed --set pods=200 --output pods.stream 2>err
ends 0 "${run[@]}" --pods pods.stream --bindings file.jsonl
# listen: starts a listener at the socket, in `pid`, and waits until it is there.
listen() {
  background "$loadgen" pods mixed --set pods=200 --listen "unix:$folder/socket" 2>listener
  for ((i = 0; i < 50; ++i)); do
    ! grep -qF "$folder/socket" /proc/net/unix || break
    sleep 0.1
  done
}
listen
ends 0 "${run[@]}" --pods "unix:$folder/socket" --bindings socket.jsonl
wait $pid
cmp file.jsonl socket.jsonl
[[ ! -e socket ]]
ends 1 "$loadgen" pods mixed --output "unix:$folder/nobody"
said 'nobody listens there: there is no such socket'

# A listener that was killed leaves its socket, which the next one replaces; a live one it leaves.
listen
kill -KILL $pid
wait $pid 2>/dev/null || true
[[ -S socket ]] || fail "a listener that was killed left no socket:"
ends 1 "${run[@]}" --pods "unix:$folder/socket"
said 'nobody listens there any more: the program that made this socket ended without removing it'
listen

ends 1 "$loadgen" pods mixed --listen "unix:$folder/socket"
said 'there is something at this path already'
ends 0 "${run[@]}" --pods "unix:$folder/socket" --bindings socket.jsonl
wait $pid
cmp file.jsonl socket.jsonl

# Watch events have the same content as frames, and faults are reported with the line number.
for load in mixed churn services batch; do
  small=("$load" --set nodes=40)
  [[ $load == services ]] || small+=(--set pods=600)
  "$loadgen" cluster "${small[@]}" --output cluster.json 2>err
  "$loadgen" pods "${small[@]}" --output pods.stream 2>err
  "$loadgen" pods "${small[@]}" --output pods.jsonl 2>err
  "${run[@]}" --pods pods.stream --bindings frames.jsonl >out 2>err || true
  "${run[@]}" --pods pods.jsonl --bindings lines.jsonl >out 2>err || true
  cmp frames.jsonl lines.jsonl
  (($(wc -l <lines.jsonl) > 100)) || fail "$load: too few pods were bound:"
  ((checked += 1))
done
"$loadgen" cluster mixed --set nodes=30 --output cluster.jsonl 2>err
"$loadgen" pods mixed --set pods=50 --output pods.jsonl 2>err
sed -i '3s/"spec":{/"spec":{"priority":"high",/; 5s/ADDED/GREW/; 7s/.$//' pods.jsonl
ends 1 "$berth" run --cluster cluster.jsonl --pods pods.jsonl --bindings lines.jsonl
said 'pods.jsonl:3:'
said 'object.spec.priority: expected a number, found the string "high"'
said 'pods.jsonl:5:1: type: expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR'
said 'pods.jsonl:7:'
# One of the pods fits nowhere.
(($(wc -l <lines.jsonl) == 46)) || fail "$(wc -l <lines.jsonl) pods were bound, expected 46:"
echo "$checked behaviours"
