#!/bin/bash
# Volumes are bound and provisioned before their pods are, as the options of volumes say.
#   volumes.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

{
  for zone in a b; do
    cat <<YAML
---
apiVersion: v1
kind: Node
metadata: {name: n-$zone, labels: {topology.kubernetes.io/zone: $zone}}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n-$zone}
spec: {drivers: [{name: csi.example.com, nodeID: n, topologyKeys: [topology.kubernetes.io/zone]}]}
YAML
  done
  cat <<'YAML'
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: default, uid: 6f1}
spec:
  storageClassName: fast
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
YAML
} >cluster.yaml
pod() {
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: default}
spec:
  nodeSelector: $2
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
YAML
}
pod first "{topology.kubernetes.io/zone: b}" >pods.yaml
pod second "{}" >>pods.yaml
run=("$berth" run --cluster cluster.yaml --pods pods.yaml --results results.jsonl)
# seconds POD: whole seconds until it was bound.
seconds() { grep "\"name\":\"$1\"" results.jsonl | sed 's/.*"bound_seconds":\([0-9]*\).*/\1/'; }

expect 0 scheduled "${run[@]}"
for pod in first second; do
  grep -q "\"name\":\"$pod\".*\"node\":\"n-b\"" results.jsonl || fail "$pod: $(cat results.jsonl)"
done
(($(seconds first) >= 1 && $(seconds first) < 5)) || fail "$(cat results.jsonl)"
expect 0 scheduled "${run[@]}" --volume-binding-delay 40s
(($(seconds first) >= 40 && $(seconds first) < 45)) || fail "$(cat results.jsonl)"

# The new volume reaches the zone of the selected node.
cp pods.yaml three.yaml
pod third "{topology.kubernetes.io/zone: a}" >>three.yaml
expect 0 scheduled "$berth" run --cluster cluster.yaml --pods three.yaml --results three.jsonl
grep '"name":"third"' three.jsonl | grep -q "1 node(s) didn't match PersistentVolume's node affinity" ||
  fail "$(cat three.jsonl)"

# Half of the provisionings fail: the pod is tried again until one does not.
failed=0
for seed in 1 2 3 4 5 6; do
  expect 0 scheduled "${run[@]}" --seed $seed --volume-binding-failures 50
  cp results.jsonl once.jsonl
  expect 0 scheduled "${run[@]}" --seed $seed --volume-binding-failures 50
  cmp results.jsonl once.jsonl || fail "two runs with seed $seed differ"
  grep -q '"name":"first".*"attempts":1,' results.jsonl || ((failed += 1))
done
((failed > 0 && failed < 6)) || fail "of 6 first provisionings $failed failed"
expect 1 'binding volumes: provisioning failed for PVC "data"' "${run[@]}" \
  --volume-binding-failures 100

# Nobody binds: a try takes ten minutes, and the run ends in the second.
expect 0 'binding volumes: context deadline exceeded' "${run[@]}" --volume-binding off -v 2
grep -q '"name":"first","outcome":"held"' results.jsonl || fail "$(cat results.jsonl)"
grep -q 'E0101 00:10:00' err || fail "$(cat err)"

expect 1 'have no effect while volumes are not bound here' "${run[@]}" --volume-binding off \
  --volume-binding-delay 3s
expect 2 'expected a duration such as' "${run[@]}" --volume-binding-delay=-3s
expect 2 '--volume-binding-failures' "${run[@]}" --volume-binding-failures 101
# A StatefulSet brings the claims of its claim templates. One that exists stays bound to its volume.
cat >set.yaml <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default}
spec:
  replicas: 3
  selector: {matchLabels: {app: db}}
  volumeClaimTemplates:
  - metadata: {name: disk}
    spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
YAML
{
  cat cluster.yaml
  cat <<'YAML'
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: there}
spec:
  storageClassName: fast
  capacity: {storage: 1Gi}
  claimRef: {namespace: default, name: disk-db-2, uid: 6f2}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [
    {key: topology.kubernetes.io/zone, operator: In, values: [b]}]}]}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk-db-2, namespace: default, uid: 6f2,
  annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: {volumeName: there, storageClassName: fast, resources: {requests: {storage: 1Gi}}}
YAML
} >with-claim.yaml
expect 0 scheduled "$berth" run --cluster with-claim.yaml --pods set.yaml --results set.jsonl
[[ $(grep -c '"outcome":"scheduled"' set.jsonl) == 3 ]] || fail "$(cat set.jsonl)"
grep -q '"name":"db-2".*"node":"n-b"' set.jsonl || fail "not where its volume is: $(cat set.jsonl)"
sed 's/fast, accessModes/none, accessModes/' set.yaml >waiting.yaml
expect 0 unschedulable "$berth" run --cluster with-claim.yaml --pods waiting.yaml --results set.jsonl
[[ $(grep -c 'pod has unbound immediate PersistentVolumeClaims' set.jsonl) == 2 ]] || fail "$(cat set.jsonl)"
# The same from a stream, and as a stream of pods.
tr '\n' ' ' >line.jsonl <<'JSON'
{"type":"ADDED","object":{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"default"},
"spec":{"replicas":3,"selector":{"matchLabels":{"app":"db"}},"volumeClaimTemplates":[{"metadata":{"name":"disk"},
"spec":{"storageClassName":"fast","resources":{"requests":{"storage":"1Gi"}}}}],"template":{"metadata":{"labels":{"app":"db"}},
"spec":{"containers":[{"name":"c","image":"i"}]}}}}}
JSON
expect 0 scheduled "$berth" run --cluster with-claim.yaml --pods line.jsonl --results set.jsonl
[[ $(grep -c '"outcome":"scheduled"' set.jsonl) == 3 ]] || fail "$(cat set.jsonl)"
"$berth" convert set.yaml --part pods --output set.frames 2>err || fail "$(cat err)"
expect 0 scheduled "$berth" run --cluster cluster.yaml --pods set.frames --results set.jsonl
[[ $(grep -c '"outcome":"scheduled"' set.jsonl) == 3 ]] || fail "$(cat set.jsonl)"

# A claim whose volume does not exist is lost.
{
  cat cluster.yaml
  cat <<'YAML'
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: lost, uid: 6f3, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: {volumeName: gone, resources: {requests: {storage: 1Gi}}}
YAML
} >lost.yaml
pod first "{}" | sed 's/namespace: default/namespace: lost/' >lost-pods.yaml
expect 0 'persistentvolumeclaim "data" bound to non-existent persistentvolume "gone"' \
  "$berth" run --cluster lost.yaml --pods lost-pods.yaml
expect 0 'persistentvolume "gone" not found' \
  "$berth" run --cluster lost.yaml --pods lost-pods.yaml --volume-binding off

# A claim is deleted: its volume is for the next one if it is recycled, and for none otherwise.
reclaimed() {
  cat cluster.yaml
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: $1
  claimRef: {namespace: default, name: old, uid: 6f4}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: old, namespace: default, uid: 6f4, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: {volumeName: disk, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: new, namespace: default, uid: 6f5}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
YAML
}
cat >deleted.jsonl <<'JSON'
{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"new"}}]}}}
{"type":"DELETED","object":{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"old","namespace":"default"}}}
JSON
for policy in Recycle Retain Delete; do
  reclaimed $policy >reclaimed.yaml
  expect 0 scheduled "$berth" run --cluster reclaimed.yaml --pods deleted.jsonl --results reclaimed.jsonl
  outcome=unschedulable
  [[ $policy != Recycle ]] || outcome=scheduled
  grep -q "\"name\":\"p\",\"outcome\":\"$outcome\"" reclaimed.jsonl || fail "$policy: $(cat reclaimed.jsonl)"
done

echo "$checked checks of volumes"
