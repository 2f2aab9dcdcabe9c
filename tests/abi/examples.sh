#!/bin/bash
# Runs with the examples that have arguments and memory of their own: fresh_nodes.c, vouchers.cc and
# numa_zones.cc.
#   examples.sh BERTH PLUGINS_OF_TESTS FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 plugins=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/plugins"
cd "$folder"
cp "$plugins"/{fresh_nodes,vouchers}.so plugins

# node NAME GENERATION, pod NAME VOUCHER
node() {
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'","labels":{"example.com/generation":"'"$2"'"}},"status":{"allocatable":{"cpu":"1","pods":"9"}}}'
}
pod() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","labels":{'"${2:+\"example.com/voucher\":\"$2\"}"'}},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"500m"}}}]}}'
}
{ node old 2 && node none old && node good 3 && node best 4; } >cluster.json
config() {
  cat >config.yaml <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: FreshNodes, weight: 100}, {name: Vouchers}]}}
  pluginConfig:
  - {name: FreshNodes, args: {label: $1, least: $2}}
  - {name: Vouchers, args: {vouchers: $3}}
END
}
run=("$berth" run --plugins plugins --cluster cluster.json --config config.yaml --pods pods.json
  --verify-evaluation 1 --bindings bound.jsonl --results results.jsonl)

# Two pods fill the best node, two the next; the others have none. The old nodes stay empty.
config example.com/generation 3 '{}'
for i in 1 2 3 4 5; do pod "p$i"; done >pods.json
expect 0 'node(s) were of an old generation' "${run[@]}"
for at in best:2 good:2; do
  [[ $(grep -c "\"node\":\"${at%:*}\"" bound.jsonl) == "${at#*:}" ]] || fail "not $at: $(cat bound.jsonl)"
done
[[ $(tail -1 results.jsonl) == *'2 node(s) were of an old generation'* ]] || fail "$(cat results.jsonl)"

# The third pod of a kind of two gets no voucher, nor one of an unknown kind.
config example.com/generation 0 '{spring: 2}'
{ pod a spring && pod b spring && pod c spring && pod d winter && pod e; } >pods.json
expect 0 'Vouchers: spring: 2 of 2 spent' "${run[@]}"
[[ $(grep -c '"name":"[abe]"' bound.jsonl) == 3 && $(wc -l <bound.jsonl) == 3 ]] || fail "$(cat bound.jsonl)"
grep '"name":"c"' results.jsonl | grep -q 'no voucher is left' || fail "$(cat results.jsonl)"
grep '"name":"d"' results.jsonl | grep -q "the pod's voucher is unknown" || fail "$(cat results.jsonl)"

# All errors of arguments at once.
config '"a b"' -1 '{spring: many}'
expect 1 'label: must be a label key' "${run[@]}"
grep -qF 'least: must be a number from 0 to 1000000' err || fail "$(cat err)"
grep -qF 'vouchers.spring: must be a whole number' err || fail "$(cat err)"
# What a plugin declares, with the tables of the columns, and the services that it looks up. Where it
# has to have arguments, that is said.
cp "$plugins"/{rack_filter,shuffle}.so plugins
expect 0 'Filter pod.label:example.com/rack (pods, u32)' "$berth" plugin describe plugins/rack_filter.so
grep -qF 'Filter node.label:example.com/rack (nodes, u32)' out || fail "$(cat out)"
grep -qF 'Version:           not stated' out || fail "$(cat out)"
expect 0 'Score depends: external' "$berth" plugin describe plugins/shuffle.so
sed -n '/^Services:/,$p' out | grep -qF berth.random/0 || fail "$(cat out)"
expect 0 '"table": "nodes"' "$berth" plugin describe plugins/shuffle.so -o json
grep -qF '"berth.metrics/0"' out || fail "$(cat out)"
expect 0 'not known without arguments: ' "$berth" plugin describe plugins/fresh_nodes.so
grep -qF 'args.label: must be a label key' out || fail "$(cat out)"
# Zones: 40 pods of a stream share 16 processors in four zones of two nodes, three to a pod, so that
# four run at a time. Each ends after a minute; then the next ones have its processors, and in the
# end all of them have run. One that fits no zone never does.
rm -rf zones && mkdir zones && cp "$plugins/numa_zones.so" zones
for name in one two; do
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$name"'","annotations":{"example.com/zones":"4,4"}},"status":{"allocatable":{"cpu":"64","pods":"99"}}}'
done >cluster.json
# zoned NAME CPU
zoned() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","labels":{"example.com/zoned":"yes"},"annotations":{"berth/runs-for":"60s"}},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"'"$2"'"}}}]}}'
}
{ for i in $(seq 40); do zoned "p$i" 2500m; done && zoned wide 5; } >pods.json
cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: NumaZones}]}}
END
for isolated in '' '--isolate NumaZones'; do
  # shellcheck disable=SC2086
  expect 0 'no zone with enough processors' "$berth" run --plugins zones --cluster cluster.json --config config.yaml \
    --pods pods.json --verify-evaluation 1 --bindings bound.jsonl --results results.jsonl $isolated
  [[ $(wc -l <bound.jsonl) == 40 ]] || fail "$(wc -l <bound.jsonl) pods ran: $(cat out)"
  ! grep -q '"name":"wide"' bound.jsonl || fail 'a pod ran that no zone has room for'
done

# Preemption counts the zones of its victims, which the plugin hears of as overlays.
head -1 cluster.json >one.json
{ for i in 1 2 3 4; do zoned "low$i" 2; done && zoned urgent 4 | sed 's/"spec":{/"spec":{"priority":9,/'; } |
  sed 's/"berth.runs-for":"60s"//; s/^/{"type":"ADDED","object":/; s/$/}/; 5s/{/{"time":"10s",/' >watch.jsonl
for isolated in '' '--isolate NumaZones'; do
  # shellcheck disable=SC2086
  expect 0 'evicted by preemption   2' "$berth" run --plugins zones --cluster one.json --config config.yaml \
    --pods watch.jsonl --admission off --verify-evaluation 1 --results results.jsonl $isolated
  grep -q '"name":"urgent","outcome":"scheduled"' results.jsonl || fail "$(cat results.jsonl)"
done
echo "$checked checks"
