#!/bin/bash
# Messages of all programs on standard error have one style (CONTRIBUTING.md):
#   messages.sh BERTH BERTH_LOADGEN BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 bench=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$loadgen" cluster mixed --set nodes=5 --set pods=5 --output cluster.json 2>err
"$loadgen" pods mixed --set nodes=5 --set pods=5 --output pods.json 2>err
echo '{' >broken.json
echo 'kind: Workload' >broken.yaml
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofils: []\n' >config.yaml
echo '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"nodeSelectors": {}}}' >pod.json
mkdir cases
echo '{"version": 1}' >cases/wrong.json

# Each line is indented, or the name of the program, perhaps with its command, a colon, and a text
# that begins with no capital, unless that is a name, and ends without a full stop. Quotes are double.
styled() {
  local name=$1 line text
  [[ -s err ]] || fail "$*: nothing on standard error"
  while IFS= read -r line; do
    [[ $line != ' '* ]] || continue
    [[ $line =~ ^$name(\ [a-z-]+)*\ --help\ describes\ its\ use$ ]] && continue
    [[ $line =~ ^$name(\ [a-z-]+)*:\ (.*)$ ]] || fail "no name of the program before: $line"
    text=${BASH_REMATCH[2]}
    [[ ! $text =~ ^[A-Z][a-z]+\  ]] || fail "begins with a capital: $line"
    [[ $text != *. ]] || fail "ends with a full stop: $line"
    [[ ! $text =~ (^|\ )\'[^\']*\'(\ |$) ]] || fail "has single quotes: $line"
    ((checked += 1))
  done <err
}

while read -r command; do
  read -ra words <<<"$command"
  case ${words[0]} in
    berth) words[0]=$berth ;;
    berth-loadgen) words[0]=$loadgen ;;
    berth-bench) words[0]=$bench ;;
  esac
  ! "${words[@]}" >out 2>err || fail "$command: exit status 0"
  styled "${command%% *}"
done <<'LIST'
berth
berth frobnicate
berth plugin
berth run
berth run --pods
berth run --nope
berth run --strict=maybe --pods pods.json
berth run --seed 1 --seed 2 --pods pods.json
berth run --pods pods.json --cluster none.json
berth run --pods none.json --cluster cluster.json
berth run --pods broken.json --cluster cluster.json
berth run --pods pods.json --cluster cluster.json --seed x
berth run --pods pods.json --cluster cluster.json --scores
berth run --pods pods.json --cluster cluster.json --config config.yaml
berth run --pods pods.json --cluster cluster.json --plugins none
berth run --pods pods.json --cluster cluster.json -o json --bindings -
berth run --pods pods.json --cluster cluster.json -o xml
berth run --pods - --cluster -
berth run --pods pods.json --cluster cluster.json --volume-binding off --volume-binding-failures 5
berth explain --pod none --cluster cluster.json
berth explain --pod pod.json --cluster cluster.json
berth config validate broken.json
berth config validate config.yaml none.yaml
berth config convert config.yaml
berth config defaults --api-version v2
berth convert pods.json --output pods.xml
berth convert pods.json --output pods.json
berth conformance cases
berth conformance none
berth evaluate broken.json
berth plugin describe none.so
berth plugin describe pods.json
berth plugin check pods.json --check none
berth plugin new 9x --lang c
berth completion tcsh
berth-loadgen
berth-loadgen frobnicate
berth-loadgen cluster none
berth-loadgen cluster mixed --set nodes
berth-loadgen cluster mixed --set nope=1
berth-loadgen cluster mixed --set nodes=x
berth-loadgen cluster broken.yaml
berth-loadgen pods mixed --format xml
berth-loadgen pods mixed --speed 2
berth-loadgen pods mixed --listen x
berth-loadgen pods mixed --listen unix:a --output b
berth-loadgen pods mixed --duration x
berth-loadgen show none
berth-loadgen check broken.yaml none.yaml
berth-loadgen list -o xml
berth-bench
berth-bench run none
berth-bench run broken.yaml
berth-bench run mixed --set pods
berth-bench run mixed --speed 5
berth-bench run mixed --trace-events 5
berth-bench run mixed --no-default-plugins
berth-bench run mixed --threads 1,2 --trace trace.json
berth-bench run mixed --report a.html --trace a.html
berth-bench run mixed --config none.yaml --set nodes=5 --set pods=5
berth-bench run mixed --plugins none --set nodes=5 --set pods=5
berth-bench compare broken.json broken.json
berth-bench compare none.json none.json
berth-bench compare cluster.json cluster.json
berth-bench list none
LIST

# The library that reads command lines has other words for these.
expect 2 'berth run: --seed: expected N, found nothing' "$berth" run --seed
expect 2 'berth run: --seed: expected once, found more often' "$berth" run --seed 1 --seed 2
expect 2 'berth run: --strict: expected no value, found "maybe"' "$berth" run --strict=maybe
expect 2 'berth-bench run: --output: expected text|wide|json|yaml|name, found nothing' "$bench" run -o

# Remarks of commands that succeed.
"$loadgen" pods mixed --set nodes=5 --set pods=5 --output out.json 2>err
styled berth-loadgen
# A program says its own name, also where it uses a part of another.
touch none.so
mkdir -p plugins
echo nothing >plugins/none.so
"$bench" run mixed --set nodes=5 --set pods=5 --warm-up 0 --repetitions 1 --plugins "$PWD/plugins" \
  >out 2>err || true
styled berth-bench
echo "$checked messages"
