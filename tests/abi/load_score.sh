#!/bin/bash
# The example load_score.cc: nodes with little load get the pods, and what the file says later counts
# while a run by the wall clock waits for input, in the plugin's own process, too:
#   load_score.sh BERTH PLUGINS_OF_TESTS FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 plugins=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/plugins"
cd "$folder"
cp "$plugins/load_score.so" plugins

for node in a b; do
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'$node'"},"status":{"allocatable":{"cpu":"9","pods":"99"}}}'
done >cluster.json
pod() {
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"},"spec":{"containers":[{"name":"c"}]}}}'
}
config() {
  cat >config.yaml <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: LoadAware, weight: 100}]}}
  pluginConfig: [{name: LoadAware, args: $1}]
END
}
run=("$berth" run --plugins plugins --cluster cluster.json --config config.yaml --bindings bound.jsonl)
# loads TEXT: the file has it at once; a reader sees no part of it.
loads() { printf "$1" >next && mv next loads; }
bound() { grep -q "\"name\":\"$1\",\"node\":\"$2\"" bound.jsonl 2>/dev/null; }

config "{file: $PWD/loads, most: 80}"
loads 'a 70\nb 20\n'
{ pod one && pod two; } >pods.jsonl
expect 0 scheduled "${run[@]}" --pods pods.jsonl --verify-evaluation 1
{ bound one b && bound two b; } || fail "$(cat bound.jsonl)"

# A file that is not there yet is told.
config "{file: $PWD/none, most: 80}"
expect 0 "cannot read $PWD/none yet" "${run[@]}" --pods pods.jsonl
config "{file: $PWD/loads, most: 80}"

# Nodes become busy, and less so later. Only a thread of the plugin's tells of it.
for isolated in '' '--isolate LoadAware --isolation-allow LoadAware=files'; do
  rm -f pipe bound.jsonl
  mkfifo pipe
  loads 'a 90\nb 99\n'
  background "${run[@]}" --pods pipe --clock wall --metrics metrics $isolated >page 2>err
  exec 3>pipe
  pod waits >&3
  until_true $pid blocked $pid
  ! bound waits '.' || fail "busy nodes got the pod: $(cat bound.jsonl)"
  loads 'a 60\nb 90\n'
  until_true $pid bound waits a
  loads 'a 60\nb 10\n'
  for ((i = 0; i < 300; ++i)); do
    pod "later-$i" >&3
    until_true $pid bound "later-$i" '[ab]'
    ! bound "later-$i" b || break
    sleep 0.1
  done
  bound "later-$i" b || fail "the file of before counts: $(tail -3 bound.jsonl)"
  exec 3>&-
  wait $pid || fail "$(cat err)"
  grep -q 'incoming_pods_total{event="PluginWake",.*} 1$' metrics || fail "$(grep incoming metrics)"
  ((checked += 1))
done

config '{most: 101}'
expect 1 'file: must be the path of a file' "${run[@]}" --pods pods.jsonl
grep -qF 'most: must be from 0 to 100' err || fail "$(cat err)"
echo "$checked checks"
