#!/bin/bash
# Builds order.rs against the crate, and runs it: pods leave in the order of keys that differ
# behind 16 bytes.
#   order.sh BERTH ROOT FOLDER
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
build_plugin "$here/order.rs" "$root" "$folder"
expect 0 ' 0 failed' "$berth" plugin check plugins/order.so
# The hook says what the plugin needs.
expect 0 'needs 1.3' "$berth" plugin describe plugins/order.so

cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
END
cat >scheduler.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {queueSort: {enabled: [{name: ByName}], disabled: [{name: '*'}]}}
END
# pod NAME PRIORITY
pod() {
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {priority: %s, containers: [{name: main, image: "a:b"}]}\n' \
    "$1" "$2"
}
same=a-name-with-a-long-beginning
{ pod $same-z 1 && pod $same-c 1 && pod $same-b 7 && pod $same-a 7 && pod short 1; } >pods.yaml
for isolate in '' '--isolate=ByName'; do
  "$berth" run --plugins plugins --cluster cluster.yaml --config scheduler.yaml --pods pods.yaml \
    $isolate --bindings bindings.jsonl >page 2>err || fail "$isolate: $(cat err)"
  sed -E 's/.*"name":"([^"]*)".*/\1/' bindings.jsonl >order
  printf '%s\n' $same-a $same-b $same-c $same-z short | diff - order || fail "another order (>)"
done
