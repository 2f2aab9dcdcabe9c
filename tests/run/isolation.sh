#!/bin/bash
# Isolated plugins in a whole run: isolation.sh BERTH LOADGEN FOLDER
set -euo pipefail

berth=$1 loadgen=$2 folder=$3
case=$(cd "$(dirname "$0")/../conformance/cases/documentation" && pwd)/documentation-balanced-allocation-best-effort.json
source "$(dirname "$0")/expect.sh"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$loadgen" stream mixed --set nodes=200 --set pods=1000 --output load.frames 2>err

# The same bindings, to the byte.
"$berth" run --pods load.frames --bindings inside.jsonl --summary inside.json 2>/dev/null
"$berth" run --pods load.frames --bindings isolated.jsonl --summary isolated.json --isolate all \
  2>/dev/null
cmp inside.jsonl isolated.jsonl || fail "isolated plugins bind otherwise"
hash_of() { sed -nE 's/^ *"decision_hash": "([0-9a-f]{16})",?$/\1/p' "$1"; }
[[ -n $(hash_of inside.json) && $(hash_of inside.json) == $(hash_of isolated.json) ]] ||
  fail "isolated plugins decide otherwise"

# Starts a run that waits for more pods, with its process in `pid` and that of the plugin in `child`.
start() {
  rm -f pods
  mkfifo pods
  background "$berth" run --pods pods --bindings bindings.jsonl --isolate NodeResourcesFit >out 2>err
  exec 9>pods
  child=
  for ((i = 0; i < 300; ++i)); do
    child=$(cat /proc/$pid/task/*/children 2>/dev/null) || true
    child=${child// /}
    [[ -n $child ]] && return
    sleep 0.1
  done
  fail "no process of the plugin was started"
}

ends() {
  for ((i = 0; i < 100; ++i)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# A process that is killed costs the pod of the next call, which is tried again, and not the run.
start
kill -KILL "$child"
cat load.frames >&9
exec 9>&-
status=0
wait $pid || status=$?
grep -qF "the plugin's process was ended by the signal 9 (Killed)" out err ||
  fail "the killed process is not named; status $status: $(cat out err)"
(($(wc -l <bindings.jsonl) == $(wc -l <inside.jsonl))) ||
  fail "the run that lost a plugin's process binds $(wc -l <bindings.jsonl) pods, status $status"

# The process ends with the engine, even if that is killed.
start
kill -KILL $pid
ends "$child" || fail "the plugin's process outlives the engine"
exec 9>&-

# The file of the configuration isolates plugins too, and options are added to it.
isolation() {
  printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n---\n'
  printf 'apiVersion: berth/v1\nkind: PluginIsolation\nplugins: %s\n' "$1"
}
isolation '[{name: NodeResourcesFit, memory: 1Gi, deadline: 3s}, {name: NodeName, onFailure: Skip}]' \
  >isolation.yaml
expect 0 '' "$berth" run --pods load.frames --config isolation.yaml --isolate NodePorts \
  --isolation-allow NodeName=files --bindings isolated.jsonl
cmp inside.jsonl isolated.jsonl || fail "plugins that the configuration isolates bind otherwise"
! grep -qF 'without effect' err || fail "the document is named as without effect: $(cat err)"
expect 0 'isolation.yaml:4: is valid, of version berth/v1' "$berth" config validate isolation.yaml
grep -qF 'isolation.yaml:1: is valid, of version v1' out || fail "the configuration beside it: $(cat out)"
expect 0 'memory: "1Gi"' "$berth" config convert isolation.yaml
isolation '[{name: NodeNam}, {name: NodePorts, onfailure: Skip}, {name: NodeName, deadline: 40s}]' \
  >faulty.yaml
for command in 'config validate' 'run --pods load.frames --config' \
  'explain --cluster load.frames --pod none --config'; do
  expect 1 'unknown field "plugins[1].onfailure"' "$berth" $command faulty.yaml
done
expect 1 'faulty.yaml:6:18: plugins[0].name: no plugin folder has the plugin "NodeNam"' \
  "$berth" config validate faulty.yaml
grep -qF 'faulty.yaml:1:1: what depends on plugins is not checked' err ||
  fail "the configuration is taken for checked: $(cat err)"
grep -qF 'plugins[2].name: the deadline of 40s is not shorter than the 30s' err ||
  fail "a deadline that is too long is not named: $(cat err)"
# A memory limit that the plugin does not start in is an error of the plugin's file.
isolation '[{name: NodeName, memory: 64Ki}]' >small.yaml
expect 1 'wanted more memory than the 64 KiB that it may have' \
  "$berth" run --pods load.frames --config small.yaml
expect 1 'wanted more memory than the 64 KiB that it may have' "$berth" config validate small.yaml

isolation '[{name: NodeNam}]' >unknown.yaml
head -3 isolation.yaml >no-isolation.yaml

# The commands about cases, which have configurations of their own, take the document alone.
"$berth" evaluate "$case" >inside.answer
expect 0 '' "$berth" evaluate --isolation isolation.yaml "$case"
cmp inside.answer out || fail "isolated plugins answer a case otherwise"
expect 0 '' "$berth" evaluate --isolation - "$case" <isolation.yaml
expect 0 'all' "$berth" conformance --complete --isolation isolation.yaml --isolate NodePorts "$case"
for command in evaluate conformance; do
  # It has effect: the plugin does not start, or is not there.
  expect 1 'wanted more memory than the 64 KiB that it may have' \
    "$berth" $command --isolation small.yaml "$case"
  expect 1 'isolation.yaml: has no document of kind PluginIsolation, apiVersion berth/v1' \
    "$berth" $command --isolation no-isolation.yaml "$case"
  expect 1 'unknown field "plugins[1].onfailure"' "$berth" $command --isolation faulty.yaml "$case"
  expect 1 'unknown.yaml:6:18: plugins[0].name: no plugin folder has the plugin "NodeNam"' \
    "$berth" $command --isolation unknown.yaml "$case"
  expect 1 'absent.yaml' "$berth" $command --isolation absent.yaml "$case"
done
expect 1 'the case and --isolation are both standard input' \
  "$berth" evaluate --isolation - - <"$case"

# Words that are not understood are refused.
refuses() {
  local status=$1 expected=$2
  shift 2
  expect "$status" "$expected" "$berth" run --pods load.frames --bindings /dev/null "$@"
}
refuses 1 'no plugin folder has the plugin "NodeResourceFit"; did you mean NodeResourcesFit?' \
  --isolate NodeResourceFit
refuses 1 'the plugin "NodeName" does not run in a process of its own' --isolation-skip NodeName
refuses 2 'expected NAME=files or NAME=network, not "NodeName=disk"' \
  --isolate NodeName --isolation-allow NodeName=disk
refuses 1 'the deadline of 5s is not shorter than the 1s after which a call ends the run' \
  --isolate NodeName --plugin-timeout 1
refuses 2 'expected a duration of whole milliseconds over 0' --isolate NodeName --isolation-deadline 5
refuses 2 'expected an amount of memory' --isolate NodeName --isolation-memory 1GB
refuses 1 'has no effect, because no plugin runs in a process of its own' --isolation-memory 1Gi
refuses 1 'cannot be skipped when its process fails' \
  --isolate PodTopologySpread --isolation-skip PodTopologySpread
