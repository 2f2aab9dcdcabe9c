#!/bin/bash
# Metrics of a run are Prometheus' text format with kube-scheduler's names, types and buckets, and
# count what the results tell.
#   metrics.sh BERTH FOLDER
# Exits with status 77, after the other checks, where Prometheus' client for Python is not installed.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
source "$here/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() {
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'"},
"status":{"allocatable":{"cpu":"'"$2"'","memory":"'"$2"'Gi","pods":"9"}}}'
}
# pod NAME CPU PRIORITY [FIELDS]
pod() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","namespace":"default"},
"spec":{"priority":'"$3"''"${4:-}"',"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"'"$2"'"}}}]}}'
}
{ node a 4 && node b 2 && pod victim 3 0 ',"nodeName":"a"'; } >cluster.json
{
  pod large 9 0 && pod urgent 4 1000
  pod gated 1 0 ',"schedulingGates":[{"name":"wait"}]'
} >pods.json
run=("$berth" run --cluster cluster.json --pods pods.json --tie-break=name --admission=off)

"${run[@]}" --metrics metrics.prom >page 2>err
line() {
  grep -qxF -- "$1" "${2:-metrics.prom}" || fail "no line $1: $(cat "${2:-metrics.prom}")"
  ((checked += 1))
}
line '# TYPE scheduler_schedule_attempts_total counter'
line 'scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 1'
line 'scheduler_pending_pods{queue="gated"} 1'
line 'scheduler_preemption_victims_sum 1'
line 'scheduler_cache_size{type="nodes"} 2'
line 'scheduler_queue_incoming_pods_total{event="UnschedulablePodAdd",queue="active"} 2'
line 'scheduler_event_handling_duration_seconds_count{event="UnschedulablePodAdd"} 3'
point() {
  line "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"$1\",profile=\"default-scheduler\",status=\"$2\"} $3"
}
point Filter Success 4
point PostFilter Success 1
point PostFilter Unschedulable 2
point Bind Success 1

# Decisions are those of a run without metrics.
"${run[@]}" --bindings without.jsonl >page 2>err
"${run[@]}" --bindings with.jsonl --metrics - >printed 2>page
cmp without.jsonl with.jsonl || fail 'metrics change decisions'
line 'scheduler_cache_size{type="nodes"} 2' printed
grep -q 'decision hash' page || fail "no page on standard error: $(cat page)"
! grep -q 'decision hash' printed || fail "the page is among the metrics: $(cat printed)"

# By the wall clock they are served, while pods wait for their time as well as while input is silent.
expect 1 '--serve-metrics: a run by the virtual clock' "${run[@]}" --serve-metrics 127.0.0.1:0
expect 2 'expected HOST:PORT such as 127.0.0.1:9100' "${run[@]}" --clock wall --serve-metrics 9100
expect 1 '--serve-metrics: cannot listen on 203.0.113.1' \
  "${run[@]}" --clock wall --serve-metrics 203.0.113.1:0
mkfifo pods.pipe
background "$berth" run --cluster cluster.json --pods pods.pipe --clock wall --serve-metrics :0 \
  >page 2>err
exec 9>pods.pipe
port=$(sed -nE 's#.*metrics are served at http://127.0.0.1:([0-9]+)/metrics$#\1#p' err)
[[ -n $port ]] || fail "no address of metrics: $(cat err)"
scrape() {
  exec 8<>"/dev/tcp/127.0.0.1/$port"
  printf 'GET /metrics HTTP/1.0\r\n\r\n' >&8
  cat <&8 >scraped
  exec 8<&-
}
tells() { scrape && grep -qxF -- "$1" scraped; }
until_true $pid tells 'scheduler_cache_size{type="nodes"} 2'
for each in small:1 large:9; do
  echo '{"type":"ADDED","object":'"$(pod "${each%:*}" "${each#*:}" 0 | tr -d '\n')"'}' >&9
done
until_true $pid tells 'scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 1'
until_true $pid tells 'scheduler_pending_pods{queue="unschedulable"} 1'
exec 9>&-
wait $pid || fail "a run that served metrics: exit status $?: $(cat err)"
((checked += 1))

# Two outputs do not share a file.
expect 1 'bindings and metrics cannot go to one file' "${run[@]}" --bindings - --metrics -
expect 1 'results and metrics cannot go to one file' "${run[@]}" --results same --metrics same
expect 1 '-o json: standard output is that of --metrics' "${run[@]}" -o json --metrics -
expect 1 'pods.json' "${run[@]}" --metrics pods.json
# A run that fails before it writes leaves no metrics of a former run.
expect 1 'none.json' "$berth" run --cluster none.json --pods pods.json --metrics metrics.prom
[[ ! -e metrics.prom ]] || fail 'metrics of the run before'

# The package is for Debian's own Python, which need not be the first one.
python=
for each in python3 /usr/bin/python3; do
  if "$each" -c 'import prometheus_client' 2>err; then python=$each; fi
done
if [[ -z $python ]]; then
  echo "metrics.sh: the text is not parsed: python3-prometheus-client is not installed"
  exit 77
fi
"$python" -B "$here/metrics.py" <printed || fail 'the text is not as expected'
((checked += 1))
echo "$checked checks"
