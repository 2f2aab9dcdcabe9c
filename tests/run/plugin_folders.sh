#!/bin/bash
# Where programs look for plugins: --plugins, BERTH_PLUGIN_PATH, the folder of the user, the folder
# that comes with berth.
#   plugin_folders.sh BERTH BERTH_BENCH PLUGINS FOLDER
# PLUGINS is the folder of the plugins of tests.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 bench=$2 plugins=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
mkdir -p one two home/.local/lib/berth/plugins
export HOME=$folder/none
cp "$plugins/rack_filter.so" one
cp "$plugins/blinking_light_scorer.so" two
cp "$plugins/domain_limit_filter.so" home/.local/lib/berth/plugins

# finds NAME... -- ARGUMENT...: `berth plugin list` finds these of the three plugins.
finds() {
  local names=()
  while [[ $1 != -- ]]; do
    names+=("$1")
    shift
  done
  shift
  "$berth" plugin list "$@" >out 2>err || fail "$*: $(cat err)"
  [[ ! -s err ]] || fail "$*: complains: $(cat err)"
  found=$(awk '$1 ~ /^(Rack|BlinkingLightScorer|DomainLimit|NodeName)$/ { print $1 }' out)
  [[ $found == "$(printf '%s\n' "${names[@]}")" ]] || fail "$*: found $found"
  ((checked += 1))
}
finds NodeName --
finds NodeName Rack -- --plugins one
finds BlinkingLightScorer NodeName Rack -- --plugins one:two
finds BlinkingLightScorer NodeName Rack -- --plugins one --plugins "$PWD/two"
finds BlinkingLightScorer Rack -- --plugins one:two --no-default-plugins
finds NodeName Rack -- --plugins default:one --no-default-plugins
BERTH_PLUGIN_PATH=$PWD/two finds BlinkingLightScorer NodeName Rack -- --plugins one
BERTH_PLUGIN_PATH=:$PWD/two:$PWD/one: finds BlinkingLightScorer Rack -- --no-default-plugins
HOME=$folder/home finds DomainLimit NodeName --
HOME=$folder/home finds Rack -- --plugins one --no-default-plugins
HOME=$folder/home finds DomainLimit NodeName Rack -- --plugins one

# Another installation may have its plugins there: those that come with this one count. The user's
# own are doubles like any other.
cp "$(dirname "$berth")/../lib/berth/plugins/node_name.so" home/.local/lib/berth/plugins
HOME=$folder/home finds DomainLimit NodeName --
BERTH_PLUGIN_PATH=$folder/home/.local/lib/berth/plugins expect 0 'its name "NodeName" is also that of' \
  "$berth" plugin list
rm home/.local/lib/berth/plugins/node_name.so

# What is wrong with a folder of the command line is an error; other folders are named and left out.
expect 1 'nowhere: cannot read the plugin folder' "$berth" plugin list --plugins one:nowhere
expect 2 'expected DIR[:DIR...] or default, found ":"' "$berth" plugin list --plugins :
expect 1 'no plugins (*.so) that can be used in no folder: --plugins names some' \
  "$berth" plugin list --no-default-plugins
BERTH_PLUGIN_PATH=$PWD/nowhere expect 0 'nowhere: cannot read the plugin folder' "$berth" plugin list
BERTH_PLUGIN_PATH=one expect 1 'BERTH_PLUGIN_PATH: expected absolute folders' "$berth" plugin list
chmod 777 two
expect 1 'two" has mode 0777' "$berth" plugin list --plugins two
BERTH_PLUGIN_PATH=$PWD/two expect 0 'two" has mode 0777' "$berth" plugin list
chmod 755 two

# Two of one name: both files are named, and neither is taken.
cp one/rack_filter.so two/other.so
for first in one two; do
  expect 0 "one/rack_filter.so: its name \"Rack\" is also that of $PWD/two/other.so" \
    "$berth" plugin list --plugins $first --plugins one:two
  ! grep -q '^Rack' out || fail "one of two plugins of a name is taken: $(cat out)"
done
cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {multiPoint: {enabled: [{name: Rack}]}}}]
END
cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: left, labels: {example.com/rack: a}}
status: {allocatable: {cpu: "4", pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: right, labels: {example.com/rack: b}}
status: {allocatable: {cpu: "4", pods: "110"}}
END
cat >pods.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: one, labels: {example.com/rack: b}}
spec: {containers: [{name: c}]}
---
apiVersion: v1
kind: Pod
metadata: {name: two, labels: {example.com/rack: c}}
spec: {containers: [{name: c}]}
END
run=("$berth" run --cluster cluster.yaml --pods pods.yaml --config config.yaml --bindings -)
expect 1 'two/other.so; remove all but one' "${run[@]}" --plugins one:two
rm two/other.so
expect 1 'there is no plugin "Rack"' "${run[@]}"
expect 0 '{"namespace":"default","name":"one","node":"right"}' "${run[@]}" --plugins one
! grep -q '"two"' out || fail "the plugin did not decide: $(cat out)"
BERTH_PLUGIN_PATH=$PWD/one expect 0 '{"namespace":"default","name":"one","node":"right"}' "${run[@]}"

# berth-bench takes the same lists, one for each run.
bench=("$bench" run mixed --set nodes=20 --set pods=20 --repetitions 1 --warm-up 0)
expect 1 'there is no plugin "Rack"' "${bench[@]}" --config config.yaml
expect 0 '(one:two)' "${bench[@]}" --config config.yaml --plugins one:two,default:one
grep -qF '(default:one)' out err || fail "the second list was not run: $(cat out err)"
expect 1 'no plugin folder has them' "${bench[@]}" --plugins one --no-default-plugins
expect 0 'mixed' "${bench[@]}" --plugins default --no-default-plugins
BERTH_PLUGIN_PATH=$PWD/one expect 0 'mixed' "${bench[@]}" --config config.yaml
echo "$checked checks"
