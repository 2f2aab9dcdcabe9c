#!/bin/bash
# The events of a run: berth run --events.
#   events.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() {
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'"},
"status":{"allocatable":{"cpu":"'"$2"'","pods":"9"}}}}'
}
pod() {
  local name=$1 cpu=$2 more=${3:-}
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$name"'","namespace":"default",
"uid":"uid-'"$name"'"},"spec":{"schedulerName":"default-scheduler",'"$more"'
"containers":[{"name":"c","resources":{"requests":{"cpu":"'"$cpu"'"}}}]}}'
}
added() { echo '{"type":"ADDED","object":'"$(pod "$@")"'}'; }
deleted() { echo '{"type":"DELETED","object":'"$(pod "$@")"'}'; }
# What is deleted ends a batch: the pods before it are tried before those behind it.
{
  node n1 2
  node n2 1
  added victim 2 '"terminationGracePeriodSeconds":3,'
  added small 500m
  added large 8
  added leaves 7
  deleted leaves 7
  added gated 1 '"schedulingGates":[{"name":"wait"}],'
  added urgent 2 '"priority":10,'
} >watch.jsonl
run=("$berth" run --pods watch.jsonl)

# events REASON OBJECT: their lines. has REASON OBJECT TEXT: each has the text, and there is one.
events() { grep -F "\"reason\":\"$1\",\"regarding\":{\"kind\":\"Pod\",\"namespace\":\"default\",\"name\":\"$2\"" "${3:-events.jsonl}" || true; }
has() {
  local lines
  lines=$(events "$1" "$2")
  [[ -n $lines ]] || fail "no $1 of $2: $(cat events.jsonl)"
  ! grep -vF -- "$3" <<<"$lines" || fail "$1 of $2: no $3"
  ((checked += 1))
}

# A pod that is bound, one that fits nowhere, and one that preempts another.
expect 0 'events                  events.jsonl' "${run[@]}" --events events.jsonl \
  --summary summary.json
grep -q '"events_file": "events.jsonl"' summary.json || fail "the summary does not name the file"
small='{"kind":"Event","apiVersion":"events.k8s.io/v1",'
small+='"metadata":{"name":"small.TIME","namespace":"default"},"eventTime":"2024-01-01T00:00:00.TIMEZ",'
small+='"reportingController":"default-scheduler","reportingInstance":"default-scheduler-berth",'
small+='"action":"Binding","reason":"Scheduled",'
small+='"regarding":{"kind":"Pod","namespace":"default","name":"small","uid":"uid-small","apiVersion":"v1"},'
small+='"note":"Successfully assigned default/small to n2","type":"Normal"}'
[[ $(events Scheduled small | sed -E 's/(small|:00)\.[0-9a-f]+/\1.TIME/g') == "$small" ]] ||
  fail "another line: $(events Scheduled small)"
has Scheduled victim '"note":"Successfully assigned default/victim to n1","type":"Normal"}'
has FailedScheduling large '"note":"0/2 nodes are available: 2 Insufficient cpu. '
has FailedScheduling large '"type":"Warning"}'
has FailedScheduling urgent '"action":"Scheduling"'
has Preempted victim '"uid":"uid-victim","apiVersion":"v1"},"related":{"kind":"Pod","namespace":"default","name":"urgent","uid":"uid-urgent","apiVersion":"v1"}'
has Preempted victim '"action":"Preempting"'
has Preempted victim '"note":"Preempted by pod uid-urgent on node n1","type":"Normal"}'
has Scheduled urgent '"note":"Successfully assigned default/urgent to n1"'
# The victim leaves after three seconds; a preemption is told after the failure that led to it.
has Scheduled urgent '"eventTime":"2024-01-01T00:00:03.'
order=$(grep -nE '"reason":"(Preempted|FailedScheduling)"' events.jsonl | grep urgent | cut -d: -f1)
[[ $(sed -n "$(head -n 1 <<<"$order")p" events.jsonl) == *FailedScheduling* ]] ||
  fail "the preemption came first: $(cat events.jsonl)"
# Each attempt is a line, with a name of its own. A gated pod has none.
[[ $(events FailedScheduling large | wc -l) == 2 ]] || fail "large: $(events FailedScheduling large)"
[[ $(grep -o '"metadata":{"name":"[^"]*"' events.jsonl | sort | uniq -d) == '' ]] || fail "two have one name"
! grep -q '"name":"gated"' events.jsonl || fail "the gated pod has an event"

# Equal runs have equal events, on standard output too, where the page makes room.
"${run[@]}" --events - --threads 3 --evaluation full >again.jsonl 2>err
cmp events.jsonl again.jsonl
grep -q 'decision hash' err || fail "the page is not on standard error"

# What was decided is written, whatever ends the run; a reader or a disk that takes no more is an
# error that names the output.
expect 1 '-: cannot be written: No space left' bash -c '"$@" >/dev/full' bash "${run[@]}" --events -
expect 1 'No space left' bash -c '"$@" --bindings - >/dev/full' bash "${run[@]}" --events cut.jsonl
[[ -n $(events FailedScheduling large cut.jsonl) ]] || fail "events are lost: $(cat cut.jsonl)"
expect 1 'absent/events.jsonl: ' "${run[@]}" --events absent/events.jsonl
# While the input is open, events are written, in whole lines.
mkfifo pipe
written() { [[ -e live.jsonl && -n $(events FailedScheduling large live.jsonl) ]]; }
for clock in virtual wall; do
  rm -f live.jsonl
  background "$berth" run --pods pipe --clock $clock --events live.jsonl >out 2>err
  exec 3>pipe
  cat watch.jsonl >&3
  until_true $pid written
  kill -INT $pid
  status=0
  wait $pid || status=$?
  exec 3>&-
  ((status == 130)) || fail "$clock: an interrupted run ended with $status: $(cat err)"
  [[ $(tail -c 1 live.jsonl) == '' ]] || fail "$clock: the last line is cut: $(tail -n 1 live.jsonl)"
  [[ -n $(events Scheduled small live.jsonl) ]] || fail "$clock: events are lost: $(cat live.jsonl)"
done

# Options and files that exclude each other; what a failed run leaves.
expect 1 'watch.jsonl: would be written over' "${run[@]}" --events watch.jsonl
expect 1 'bindings and events cannot go to one file' "${run[@]}" --events one --bindings one
expect 1 'results and events cannot go to one file' "${run[@]}" --results - --events -
expect 1 '-o json: standard output is that of --events' "${run[@]}" -o json --events -
echo former >events.jsonl
expect 1 'absent.yaml: ' "${run[@]}" --events events.jsonl --config absent.yaml
[[ ! -e events.jsonl ]] || fail "the events of a former run stay: $(cat events.jsonl)"
echo "$checked checks of events"
