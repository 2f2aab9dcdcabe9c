#!/bin/bash
# Plugins that end the process: each is named, with its function, the pod and the file:
#   faults.sh BERTH BENCH PLUGINS_OF_TESTS FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 bench=$2 plugins=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
ulimit -c 0
cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node-a}
status: {allocatable: {pods: 100}}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
status: {allocatable: {pods: 100}}
END
# pod NAME SCHEDULER
pod() {
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"},"spec":{"schedulerName":"'"$2"'","containers":[{"name":"c"}]}}}'
}
for way in breaks breaks_at_start breaks_at_end; do
  mkdir "$way"
  cp "$plugins/run_$way.so" "$way/breaks.so"
done
# configure FUNCTION WAY: the second of two profiles has the plugin.
configure() {
  cat >config.yaml <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: good
- schedulerName: bad
  plugins: {multiPoint: {enabled: [{name: Breaks}], disabled: [{name: DefaultPreemption}]}}
  pluginConfig: [{name: Breaks, args: {in: $1, by: $2}}]
END
}
# run_breaks FOLDER ARGUMENT...
run_breaks() {
  local with=$1
  shift
  "$berth" run --plugins "$PWD/$with" --cluster cluster.yaml --config config.yaml \
    --pods pods.jsonl "$@"
}
{ pod first good && pod second bad; } >pods.jsonl

# breaks STATUS LINE FUNCTION WAY: the run ends with that status, and the line about the plugin is
# one of its messages.
breaks() {
  configure "$3" "$4"
  expect "$1" "$2 ($PWD/breaks/breaks.so)" run_breaks breaks --bindings bound.jsonl
  grep -qxF -- "berth: error: plugin \"Breaks\" $2 ($PWD/breaks/breaks.so)" err ||
    fail "$3 $4: no line of its own: $(cat err)"
}
about='of pod "default/second"'
breaks 139 'crashed in validate: SIGSEGV at address 0x10' validate segfault
breaks 139 'crashed in init: SIGSEGV at address 0x10' init segfault
breaks 139 'crashed in PreEnqueue: SIGSEGV at address 0x10' pre_enqueue segfault
breaks 139 "crashed in Filter $about: SIGSEGV at address 0x10" filter segfault
breaks 134 "crashed in Filter $about: SIGABRT" filter abort
breaks 134 "crashed in Filter $about: SIGABRT" filter terminate
breaks 139 "crashed in Reserve $about: SIGSEGV at address 0x10" reserve segfault
breaks 139 "crashed in PreBind $about: SIGSEGV at address 0x10" pre_bind segfault
breaks 139 'crashed in destroy: SIGSEGV at address 0x10' destroy segfault
# An overflow faults at whatever address the stack ends.
configure filter overflow
expect 139 "plugin \"Breaks\" crashed in Filter $about: SIGSEGV at address 0x" run_breaks breaks
no_exit='a plugin may not end the process'
breaks 70 "called exit(3) in Filter $about; $no_exit" filter exit
breaks 70 "called _exit(0) in Filter $about; $no_exit" filter _exit
breaks 70 "called quick_exit(-4) in init; $no_exit" init quick_exit
breaks 70 "called exit(3) in PreBind $about; $no_exit" pre_bind exit
configure nothing nothing
expect 139 "crashed in its static constructors: SIGSEGV at address 0x10 ($PWD/breaks_at_start/breaks.so)" \
  run_breaks breaks_at_start
expect 139 "crashed in code outside of a call: SIGSEGV at address 0x10 ($PWD/breaks_at_end/breaks.so)" \
  run_breaks breaks_at_end
# A summary that is not finished leaves no file behind.
configure filter segfault
expect 139 'crashed in Filter' run_breaks breaks --summary summary.json
[[ -z $(compgen -G 'summary.json*') ]] || fail "left behind: $(compgen -G 'summary.json*')"

# What was bound before the crash stays, in whole lines.
mkfifo pods.pipe
rm -f bound.jsonl
"$berth" run --plugins "$PWD/breaks" --cluster cluster.yaml --config config.yaml \
  --pods pods.pipe --bindings bound.jsonl >out 2>err &
run=$!
exec 3>pods.pipe
pod first good >&3
until [[ -s bound.jsonl ]]; do
  kill -0 $run 2>>err || fail "it ended before the first pod was bound: $(cat err)"
  sleep 0.05
done
pod second bad >&3
exec 3>&-
status=0
wait $run 2>>err || status=$?
((status == 139)) || fail "it ended with $status: $(cat err)"
grep -qF "crashed in Filter $about" err || fail "no message: $(cat err)"
diff bound.jsonl - <<'END' || fail "bindings are lost"
{"namespace":"default","name":"first","node":"node-a"}
END
((checked += 1))

# The exit status shows a contract that is broken where no pod fails, as if one had failed.
echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"big"},"spec":{"schedulerName":"bad","containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}}' >pods.jsonl
# harms TEXT FUNCTION WAY OUTCOME
harms() {
  configure "$2" "$3"
  expect 1 "plugin \"Breaks\" broke the contract in $1" run_breaks breaks --results results
  grep -qF '"outcome":"'"$4"'"' results || fail "$2 $3: $(cat results)"
  expect 1 '' run_breaks breaks --record journal
  expect 1 "what failed: plugin \"Breaks\" broke the contract in $1" \
    "$berth" replay journal --plugins "$PWD/breaks"
}
harms PostFilter post_filter stranger unschedulable
grep -qF 'named a victim that is no pod on the node that it nominates' results || fail "$(cat results)"
harms PostFilter post_filter wait unschedulable
grep -qF 'returned code WAIT as its result; PostFilter may return SUCCESS, ERROR, ' results ||
  fail "$(cat results)"
# A record's decisions are asked of the same plugin.
expect 1 'what failed: plugin "Breaks" broke the contract in PostFilter' "$berth" replay pods.jsonl \
  --plugins "$PWD/breaks" --cluster cluster.yaml --config config.yaml
expect 1 'returned code WAIT' "$berth" explain --plugins "$PWD/breaks" --cluster cluster.yaml \
  --config config.yaml --pod <(sed 's/.*"object":\(.*\)}$/\1/' pods.jsonl)
configure filter wait
expect 1 '0 copies' "$berth" fit --plugins "$PWD/breaks" --cluster cluster.yaml \
  --config config.yaml --pod <(sed 's/.*"object":\(.*\)}$/\1/' pods.jsonl)
configure post_filter nothing
expect 0 'unschedulable' run_breaks breaks
pod second bad >pods.jsonl
harms PostBind post_bind round scheduled

# Every program that calls plugins has the limit, which ends it.
configure filter hang
hangs='plugin "Breaks" has not returned from Filter'
pod second bad | sed 's/.*"object":\(.*\)}$/\1/' >pod.json
expect 70 "$hangs" run_breaks breaks --plugin-timeout 1
expect 70 "$hangs" "$berth" explain --plugins "$PWD/breaks" --cluster cluster.yaml \
  --config config.yaml --pod pod.json --plugin-timeout 1
configure validate hang
expect 70 'has not returned from validate' "$berth" config validate --plugins "$PWD/breaks" \
  --plugin-timeout 1 config.yaml
cat >bench.yaml <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: Breaks}]}}
  pluginConfig: [{name: Breaks, args: {in: filter, by: hang}}]
END
expect 1 "$hangs" "$bench" run mixed --set nodes=20 --set pods=20 --repetitions 1 --warm-up 0 \
  --plugins "$PWD/breaks" --config bench.yaml --plugin-timeout 1
for command in serve diff fit need replay evaluate conformance; do
  expect 0 '--plugin-timeout N' "$berth" $command --help
done
expect 0 '--plugin-timeout N' "$bench" sweep --help

# berth-bench names it as well, and goes on to its report.
cat >bench.yaml <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: Breaks}]}}
  pluginConfig: [{name: Breaks, args: {in: filter, by: segfault}}]
END
expect 1 'plugin "Breaks" crashed in Filter of pod "' "$bench" run mixed --set nodes=20 \
  --set pods=20 --repetitions 1 --warm-up 0 --plugins "$PWD/breaks" --config bench.yaml
echo "$checked checks"
