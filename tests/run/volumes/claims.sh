#!/bin/bash
# Claims that are created here: the default class, and those of ephemeral volumes.
#   claims.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

cat >cluster.yaml <<'YAML'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
YAML
sed 's/"true"/"false"/' cluster.yaml >without.yaml
cat >pods.yaml <<'YAML'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: default}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: plain, namespace: default}
spec:
  containers: [{name: c, image: i}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: v1
kind: Pod
metadata: {name: scratch, namespace: default}
spec:
  containers: [{name: c, image: i}]
  volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {
    accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]
YAML
run=("$berth" run --results results.jsonl)
bound() { [[ $(grep -c '"outcome":"scheduled"' results.jsonl) == "$1" ]] || fail "$2: $(cat results.jsonl)"; }

expect 0 scheduled "${run[@]}" --cluster cluster.yaml --pods pods.yaml
bound 2 'with a default class'
for way in without.yaml 'cluster.yaml --admission=off'; do
  # shellcheck disable=SC2086 # a file, and options
  expect 0 unschedulable "${run[@]}" --pods pods.yaml --cluster $way
  bound 0 "$way"
  [[ $(grep -c 'pod has unbound immediate PersistentVolumeClaims' results.jsonl) == 2 ]] ||
    fail "$way: $(cat results.jsonl)"
done

# A class without a mode binds immediately, as one that an API server has filled in.
grep -v volumeBindingMode cluster.yaml >at-once.yaml
"${run[@]}" --cluster at-once.yaml --pods pods.yaml -v=2 >/dev/null 2>log || fail "$(cat log)"
bound 2 'with a class that says no mode'
grep -q 'pod has unbound immediate PersistentVolumeClaims' log || fail "no mode: $(cat log)"

# The same as a stream; the pod goes, and its claim with it, so that one may come again.
line() { printf '{"type":"%s","object":%s}\n' "$1" "$2"; }
class='{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"NAME","creationTimestamp":"TIME","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"csi.example.com","volumeBindingMode":"MODE"}'
claim='{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"NAME","namespace":"default"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}'
scratch='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"scratch","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}}}]}}'
user='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"user","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"scratch-v"}}]}}'
{
  line ADDED "$scratch"
  line DELETED "$scratch"
  line ADDED "$user"
} >gone.jsonl
expect 0 unschedulable "${run[@]}" --cluster cluster.yaml --pods gone.jsonl
grep -q '"name":"user".*persistentvolumeclaim \\"scratch-v\\" not found' results.jsonl ||
  fail "the claim outlives its pod: $(cat results.jsonl)"
{
  line ADDED "$scratch"
  line ADDED "$user"
  line DELETED "$scratch"
  line ADDED "$scratch"
} >again.jsonl
expect 0 scheduled "${run[@]}" --cluster cluster.yaml --pods again.jsonl
bound 2 'a pod that came again'

# A claim in use only terminates.
other=${user/'"user"'/'"other"'}
{
  line ADDED "${claim/NAME/scratch-v}"
  line ADDED "$user"
  line DELETED '{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"scratch-v","namespace":"default"}}'
  line ADDED "$other"
} >in_use.jsonl
expect 0 unschedulable "${run[@]}" --cluster cluster.yaml --pods in_use.jsonl
grep '"name":"other"' results.jsonl | grep -q 'persistentvolumeclaim \\"scratch-v\\" is being deleted' ||
  fail "a claim in use: $(cat results.jsonl)"

# The newest default class counts, also one of the stream.
filled() { sed "s/NAME/$2/; s/TIME/${3:-}/; s/MODE/${4:-}/" <<<"$1"; }
{
  line ADDED "$(filled "$class" now 2024-02-01T00:00:00Z Immediate)"
  line ADDED "$(filled "$claim" data)"
} >classes.jsonl
expect 0 '"storageClassName":"now"' "$berth" convert cluster.yaml classes.jsonl --to jsonl
# A class of a claim that says it wants none stays so.
sed 's/"spec":{"accessModes"/"spec":{"storageClassName":"","accessModes"/' classes.jsonl >none.jsonl
expect 0 '"storageClassName":""' "$berth" convert cluster.yaml none.jsonl --to jsonl

# Conversions take the claims along.
"$berth" convert cluster.yaml pods.yaml --output all.frames 2>err || fail "$(cat err)"
expect 0 scheduled "${run[@]}" --pods all.frames
bound 2 'converted'
echo "$checked checks of claims"
