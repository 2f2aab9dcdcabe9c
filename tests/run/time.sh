#!/bin/bash
# The run's clock: virtual or the machine's, and how long a run goes on after its input.
#   time.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

cat >cluster.json <<'JSON'
{"apiVersion": "v1", "kind": "List", "items": [
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"},
 "status": {"allocatable": {"cpu": "1", "pods": "9"}}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "low", "namespace": "default"},
 "spec": {"nodeName": "n", "priority": 0, "terminationGracePeriodSeconds": 2,
  "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}]}
JSON
pod() {
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","namespace":"default"},"spec":{"priority":10,"containers":[{"name":"c","resources":{"requests":{"cpu":"'"$2"'"}}}]}}}'
}
pod high 1 >high.jsonl
pod large 2 >large.jsonl
run=("$berth" run --cluster cluster.json)
# seconds FILE POD KEY: whole seconds.
seconds() { grep "\"name\":\"$2\"" "$1" | sed "s/.*\"$3\":\([0-9]*\).*/\1/"; }

# A pod whose victim needs two seconds to leave: they pass on the run's clock, by the wall clock in
# real time, too.
for clock in virtual wall; do
  begin=$SECONDS
  expect 0 scheduled "${run[@]}" --pods high.jsonl --clock $clock --summary summary.json \
    --results results.jsonl
  took=$((SECONDS - begin))
  (($(seconds results.jsonl high bound_seconds) >= 2)) || fail "$clock: $(cat results.jsonl)"
  grep -q "\"clock\": \"$clock\"" summary.json || fail "$clock: $(grep clock summary.json)"
  if [[ $clock == wall ]]; then
    # SECONDS counts whole seconds: a wait of two shows as at least one.
    ((took >= 1)) || fail "by the wall clock the run took $took s"
    elapsed=$(sed -n 's/.*"elapsed_seconds": \([0-9]*\).*/\1/p' summary.json)
    ((elapsed >= 2)) || fail "by the wall clock the run took $elapsed s"
    grep -q '"virtual_seconds": 0.0' summary.json || fail "virtual time passed"
  fi
done

# Live input: while the pipe is silent, what falls due happens, and the binding is visible.
mkfifo pipe
background "${run[@]}" --pods pipe --clock wall --bindings bindings.jsonl >page 2>err
exec 3>pipe
cat high.jsonl >&3
for ((i = 0; i < 600; ++i)); do
  grep -q '"name":"high","node":"n"' bindings.jsonl 2>/dev/null && break
  sleep 0.1
done
grep -q high bindings.jsonl || fail "the pod was not bound while the pipe was open"
# Waiting is not work: ticks of processor time in three seconds of silence, of 100 a second.
ticks() { awk '{print $14 + $15}' "/proc/$pid/stat"; }
before=$(ticks)
sleep 3
(($(ticks) - before < 150)) || fail "waiting took $(($(ticks) - before)) ticks"
# A pod that comes later is decided at once, and an interrupt ends the wait.
pod large 2 >&3
for ((i = 0; i < 10; ++i)); do sleep 0.1; done
kill -INT $pid
status=0
wait $pid || status=$?
exec 3>&-
((status == 130)) || fail "an interrupted run ended with $status: $(cat err)"
grep -q 'unschedulable           1' page || fail "the second pod was not tried: $(cat page)"
# An interrupt also ends the wait for a victim after the input.
background "${run[@]}" --pods high.jsonl --clock wall --play-on 1h --results results.jsonl >page 2>err
first=$pid
background "${run[@]}" --pods large.jsonl --clock wall --play-on 1h >page.2 2>err.2
second=$pid
sleep 4
kill -INT $second
status=0
wait $second || status=$?
((status == 130)) || fail "an interrupted wait ended with $status"
wait $first || fail "the run with a wait failed: $(cat err)"

# Unschedulable pods are tried again after five minutes if the run plays on for so long.
attempts() {
  expect 0 unschedulable "${run[@]}" --pods large.jsonl --results results.jsonl "$@"
  grep -o '"attempts":[0-9]*' results.jsonl
}
[[ $(attempts) == '"attempts":1' ]] || fail "without --play-on: $(cat results.jsonl)"
[[ $(attempts --play-on 4m) == '"attempts":1' ]] || fail "too early: $(cat results.jsonl)"
[[ $(attempts --play-on 6m) == '"attempts":2' ]] || fail "--play-on 6m: $(cat results.jsonl)"
[[ $(attempts --play-on 1h) == '"attempts":11' ]] || fail "--play-on 1h: $(cat results.jsonl)"
# The flush looks every 30 seconds for pods that waited for more than the given time.
maximum=--pod-max-in-unschedulable-pods-duration
[[ $(attempts --play-on 6m $maximum 1m) == '"attempts":5' ]] || fail "1m: $(cat results.jsonl)"
[[ $(attempts --play-on 6m $maximum 90s) == '"attempts":4' ]] || fail "90s: $(cat results.jsonl)"
# A pod that an event helps backs off; with nothing else to do it is tried at once, or not.
{
  cat large.jsonl
  echo '{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4","pods":"9"}}}}'
} >grown.jsonl
for option in '' --no-pop-from-backoff; do
  # shellcheck disable=SC2086 # no option is no argument
  expect 0 scheduled "${run[@]}" --pods grown.jsonl --results results.jsonl $option
  bound=$(seconds results.jsonl large bound_seconds)
  if [[ $option == '' ]]; then
    ((bound == 0)) || fail "the pod waited: $(cat results.jsonl)"
  else
    ((bound >= 1)) || fail "the pod did not back off: $(cat results.jsonl)"
  fi
done
expect 0 'virtual clock' "${run[@]}" --pods high.jsonl --play-on 1000h  # ends when no pod waits

expect 2 'expected virtual or wall' "${run[@]}" --pods high.jsonl --clock real
for duration in 5 -5m soon; do
  expect 2 "expected a duration such as 6m or 1h30m, found \"$duration\"" \
    "${run[@]}" --pods high.jsonl --play-on="$duration"
done
for duration in 5 0s -5m soon; do
  expect 2 "expected a duration over 0 such as 5m or 1h30m, found \"$duration\"" \
    "${run[@]}" --pods high.jsonl $maximum="$duration"
done
echo "$checked checks of time"
