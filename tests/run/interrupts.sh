#!/bin/bash
# Streams that stay open, and Ctrl-C of `berth run`:
#   interrupts.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {pods: 100000}}
END
# pods COUNT SUFFIX: JSON lines.
pods() {
  local i
  for ((i = 0; i < $1; ++i)); do
    echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-'$i$2'"},"spec":{"containers":[{"name":"c"}]}}}'
  done
}
lines() { if [[ -e $1 ]]; then wc -l <"$1"; else echo 0; fi; }
ends_with() {
  local status=0
  wait "$2" 2>>err || status=$?
  ((status == $1)) || fail "it ended with $status, expected $1: $(cat err)"
  ((checked += 1))
}
has() { (($(lines "$1") == $2)); }
run=("$berth" run --cluster cluster.yaml)

# Pods of a stream are bound while it is open, whether it ends or is interrupted.
mkfifo pods.pipe
for end in closed INT TERM; do
  rm -f live.jsonl live.json
  background "${run[@]}" --pods pods.pipe --bindings live.jsonl --summary live.json >out 2>err
  exec 8>pods.pipe
  pods 50 '' >&8
  until_true $pid has live.jsonl 50
  if [[ $end == closed ]]; then
    exec 8>&-
    ends_with 0 $pid
    grep -q '"interrupted": false' live.json || fail "the summary says that it was interrupted"
  else
    kill -"$end" $pid
    ends_with 130 $pid
    exec 8>&-
    grep -q '"interrupted": true' live.json || fail "the summary does not say that it was interrupted"
    grep -q '"pods_scheduled": 50' live.json || fail "the summary is not of what was done: $(cat live.json)"
  fi
  has live.jsonl 50 || fail "$end: $(lines live.jsonl) bindings"
done

# Ctrl-C amid the work: each pod that was decided is bound, and the summary counts these pods.
sed 's/100000/100000000/' cluster.yaml >wide.yaml
pod_forever='BEGIN { for (;;)
  printf "{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"pod-%d\"},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}}\n", ++i }'
awk "$pod_forever" >pods.pipe 2>feeder &
"$berth" run --cluster wide.yaml --pods pods.pipe --bindings cut.jsonl --summary cut.json >out 2>err &
pid=$!
until_true $pid test -s cut.jsonl
kill -INT $pid
ends_with 130 $pid
scheduled=$(sed -n 's/.*"pods_scheduled": \([0-9]*\).*/\1/p' cut.json)
((scheduled > 0)) || fail "the summary tells of no pod: $(cat cut.json)"
has cut.jsonl "$scheduled" || fail "$scheduled pods were decided, and $(lines cut.jsonl) bound"

# While decisions go on, bindings are written every 100 ms. Here they are few and slow: 90 of them
# make no full batch and no full buffer.
awk 'BEGIN { for (i = 0; i < 10000; ++i)
  printf "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n%d\"},\"status\":{\"allocatable\":{\"cpu\":\"9\",\"pods\":\"9\"}}}\n", i }' >many.json
pods 90 '' >few.jsonl
"$berth" run --cluster many.json --pods few.jsonl --bindings slow.jsonl --evaluation reference \
  --percentage-of-nodes-to-score 100 >out 2>err &
pid=$!
until_true $pid test -s slow.jsonl
early=$(lines slow.jsonl)
((early < 90)) || fail "the bindings were written together"
ends_with 0 $pid
has slow.jsonl 90 || fail "$(lines slow.jsonl) bindings"

# A second Ctrl-C ends a run whose output nobody reads, and it leaves no file behind.
pods 3000 "-$(printf '%0200d' 0)" >large.jsonl
mkfifo bindings.pipe
exec 9<>bindings.pipe
background "${run[@]}" --pods large.jsonl --bindings bindings.pipe --summary stuck.json >out 2>err
head -c 1 <&9 >first
until_true $pid blocked $pid
[[ -e $(echo stuck.json.*.part) ]] || fail "the summary has no temporary file"
kill -INT $pid
until_true $pid blocked $pid
kill -INT $pid
ends_with 130 $pid
exec 9>&-
[[ ! -e stuck.json && $(echo *.part) == '*.part' ]] || fail "left behind: $(echo stuck.json *.part)"

# Ctrl-C while the cluster is read: there is a summary of what was read.
mkfifo cluster.pipe
background "$berth" run --cluster cluster.yaml cluster.pipe --pods large.jsonl --summary early.json \
  >out 2>err
exec 8>cluster.pipe
echo '{"apiVersion":"v1","kind":"List","items":[' >&8
until_true $pid blocked $pid
kill -INT $pid
ends_with 130 $pid
exec 8>&-
grep -q '"interrupted": true' early.json || fail "the summary does not say that it was interrupted"
grep -q '"nodes": 1,' early.json || fail "the summary is not of what was read: $(cat early.json)"

# The same while it waits for a writer of the pipe.
background "$berth" run --cluster cluster.pipe --pods large.jsonl --summary early.json >out 2>err
until_true $pid grep -q '^SigCgt:.*[2367abef]$' /proc/$pid/status
until_true $pid blocked $pid
kill -INT $pid
ends_with 130 $pid
grep -q '"nodes": 0,' early.json || fail "the summary is not of what was read: $(cat early.json)"

# Nothing is missing in an input that was not read to its end.
background "$berth" run cluster.pipe >out 2>err
exec 8>cluster.pipe
echo '{"apiVersion":"v1","kind":"List","items":[' >&8
until_true $pid blocked $pid
kill -INT $pid
ends_with 130 $pid
exec 8>&-
! grep -q 'without nodes' err || fail "it asks for nodes: $(cat err)"

echo "$checked runs behaved"
