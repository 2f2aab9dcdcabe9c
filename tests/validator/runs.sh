#!/bin/bash
# A run with each exhibit of museum/runs.tsv ends as its row says:
#   runs.sh BERTH PLUGINS TABLE FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 plugins=$2 table=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
ulimit -c 0
for name in a b c; do
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'$name'"},"status":{"allocatable":{"pods":9}}}'
done >cluster.json
# pod NAME PRIORITY: one of priority 1 is refused on each node, so that the plugin is asked why.
pod() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"},"spec":{"priority":'"$2"',"containers":[{"name":"c"}]}}'
}
{ pod p 0 && pod q 0 && pod r 0 && pod refused 1; } >pods.json
cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    multiPoint: {enabled: [{name: Museum}]}
    queueSort: {disabled: [{name: PrioritySort}], enabled: [{name: Museum}]}
  pluginConfig: [{name: Museum, args: {most: 0}}]
END

# ends EXHIBIT STATUS TEXT OUTCOME OPTION...: `-` as the text: nothing is said of the plugin; as the
# outcome: any. The outcome is that of one of the pods that the plugin would take.
ends() {
  local name=$1 wanted=$2 text=$3 outcome=$4 status=0
  shift 4
  rm -rf "$name"
  mkdir "$name"
  cp "$plugins/museum_$name.so" "$name/museum.so"
  touch "$name/results"
  # Bash itself says that a process crashed.
  {
    "$berth" run --plugins "$PWD/$name" --cluster cluster.json --pods pods.json \
      --config config.yaml --results "$name/results" "$@" >"$name/out" 2>"$name/err" || status=$?
  } 2>"$name/shell"
  ((status == wanted)) || differs "$wanted" "exit status $status: $(cat "$name/err")"
  if [[ $text == - ]]; then
    ! grep -q '"Museum' "$name/err" || differs nothing "$(cat "$name/err")"
  else
    grep -qF -- "$text" "$name/err" "$name/results" ||
      differs "\"$text\"" "$(cat "$name/err" "$name/results")"
  fi
  [[ $outcome == - ]] || grep -q '"name":"[pqr]","outcome":"'"$outcome"'"' "$name/results" ||
    differs "pods are $outcome" "$(cat "$name/results")"
  ((checked += 1))
}
# differs WANTED SEEN
differs() {
  fail "$table says of $name, in the row \"$does\": $1. A run shows: $2"
}

while IFS=$'\t' read -r does text outcome status options exhibits; do
  [[ $does != "#"* ]] || continue
  [[ $options != - ]] || options=
  for name in $exhibits; do
    # shellcheck disable=SC2086
    ends "$name" "$status" "$text" "$outcome" $options
  done
done <"$table"
((checked > 0)) || fail "$table has no rows"
echo "$checked runs"
