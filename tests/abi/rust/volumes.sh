#!/bin/bash
# Builds classes.rs against the crate, and runs it: the volumes service, events of storage, a PreBind
# on the thread of the model, and arguments with names, quantities and durations.
#   volumes.sh BERTH ROOT FOLDER
# Exits with status 77 where there is no cargo.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/cargo.sh"
source "$here/../../run/expect.sh"

berth=$1 root=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
need_cargo "$folder"
build_plugin "$here/classes.rs" "$root" "$folder"

cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
END
# event TYPE OBJECT, claim NAME SIZE, pod NAME CLAIM
event() { printf '{"type":"%s","object":{"apiVersion":"v1",%s}}\n' "$1" "$2"; }
claim() {
  printf '"kind":"PersistentVolumeClaim","metadata":{"name":"%s"},"spec":{"storageClassName":"fast","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"%s"}}}' "$1" "$2"
}
pod() {
  printf '"kind":"Pod","metadata":{"name":"%s"},"spec":{"containers":[{"name":"c","image":"i"}]%s}' \
    "$1" "${2:+,\"volumes\":[{\"name\":\"v\",\"persistentVolumeClaim\":{\"claimName\":\"$2\"\}\}]}"
}
{
  event ADDED "$(claim small 10Gi)"
  event ADDED "$(pod small small)"
  event ADDED "$(claim large 12Gi)"
  event ADDED "$(pod large large)"
  event ADDED "$(claim shrinks 12Gi)"
  event ADDED "$(pod shrinks shrinks)"
  event ADDED "$(pod plain)"
  # The first helps no pod, so none is tried again.
  event MODIFIED "$(claim large 13Gi)"
  event MODIFIED "$(claim shrinks 9Gi)"
} >pods.jsonl
# config ARGUMENTS [PLUGINS]
config() {
  cat >scheduler.yaml <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: Classes}]}${2:+, $2}}
  pluginConfig: [{name: Classes, args: $1}]
END
}
run=("$berth" run --plugins plugins --cluster cluster.yaml --config scheduler.yaml
  --verify-evaluation 1 --pods pods.jsonl --results results.jsonl)
# result NAME TEXT: the pod's line has it.
result() {
  grep "\"name\":\"$1\"" results.jsonl | grep -F -- "$2" >line || fail "$1, expected $2: $(cat results.jsonl)"
  ((checked += 1))
}

config '{classes: {fast: {most: 10Gi}}, patience: 1m30s}'
expect 0 scheduled "${run[@]}"
result small '"outcome":"scheduled"'
result plain '"outcome":"scheduled"'
result large 'a claim asks for too much of the class fast'
result large '"attempts":1,'
result shrinks '"outcome":"scheduled"'
result shrinks '"attempts":2,'
[[ $(grep -c 'info plugin Classes: written: pvc-' err) == 2 ]] || fail "no volumes: $(cat err)"

# In front of VolumeBinding it waits in vain, and no longer than the arguments say.
config '{patience: 2s}' 'preBind: {enabled: [{name: Classes}]}'
expect 1 failed "${run[@]}" -v=2
result small 'a claim has no volume'
[[ $(grep -m 1 'a claim has no volume' err) == 'E0101 00:00:02.'* ]] || fail "no wait: $(cat err)"
result plain '"outcome":"scheduled"'

# Arguments: all errors at once, with their places.
config '{classes: {fast: {most: much}, slow: {}}, patience: -5s}'
expect 1 'classes.fast.most: must be a quantity such as 500m or 2Gi' "${run[@]}"
grep -qF 'classes.slow.most: must say how much' err || fail "$(cat err)"
grep -qF 'patience: must be a duration such as 1m30s' err || fail "$(cat err)"
expect 0 ' 0 failed' "$berth" plugin check plugins/classes.so
echo "$checked checks"
