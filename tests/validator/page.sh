#!/bin/bash
# The table of abi/museum.md is what the museum shows: each exhibit, the check that convicts it, and
# how a run with it ends.
#   page.sh BERTH PLUGINS TABLE PAGE FOLDER [--print]
# --print: prints the rows of the table, without the column that says what an exhibit does.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 plugins=$2 table=$3 page=$4 folder=$5 print=${6:-}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
ulimit -c 0
for name in a b c; do
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'$name'"},"status":{"allocatable":{"pods":9}}}'
done >cluster.json
for name in p q r; do
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'$name'"},"spec":{"containers":[{"name":"c"}]}}'
done >pods.json
cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    multiPoint: {enabled: [{name: Museum}]}
    queueSort: {disabled: [{name: PrioritySort}], enabled: [{name: Museum}]}
  pluginConfig: [{name: Museum, args: {most: 5}}]
END

# ends NAME: the end of a run with the exhibit: what it says of the plugin, and the exit status.
ends() {
  local status=0 text
  mkdir "$1"
  cp "$plugins/museum_$1.so" "$1/museum.so"
  "$berth" run --plugins "$PWD/$1" --cluster cluster.json --pods pods.json --config config.yaml \
    --plugin-timeout 1 --results "$1/results" >"$1/page" 2>"$1/err" || status=$?
  text=$(cat "$1/err" "$1/results" 2>>"$1/page" | grep -ohE 'plugin "?(\\")?Museum.*' | head -1 || true)
  text=${text#plugin }
  text=$(sed -E 's/\\"/"/g; s/^"?Museum"? *:? *//; s/ \(\/[^ )]*\)//g; s/at address 0x[0-9a-f]+/at an address/; s/"[]}].*//; s/(.{110}).*/\1.../' <<<"$text")
  echo "${text:-nothing} | $status"
}

{
  declare -A seen
  while IFS=$'\t' read -r name check text; do
    [[ -z $name || $name == '#'* ]] && continue
    [[ -n ${seen[$name]:-} ]] || seen[$name]=$(ends "$name")
    echo "| \`$name\` | \`$check\` | $text | ${seen[$name]} |"
  done <"$table"
} >rows
if [[ $print == --print ]]; then
  cat rows
  exit
fi
grep -E '^\| `[a-z_0-9]+` \|' "$page" | awk -F ' [|] ' -v OFS=' | ' '{ $2 = ""; print }' | sed 's/ |  | / | /' >shown
diff shown rows >difference ||
  fail "abi/museum.md is not what the museum shows (< the page, > the museum): $(cat difference)"
echo "$(wc -l <rows) exhibits"
