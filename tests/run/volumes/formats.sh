#!/bin/bash
# Volumes in every format: claims, delayed claims, disks and limits decide the same from YAML, JSON,
# JSON lines and frames, and what happens to them comes through streams.
#   formats.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

works() {
  "$@" >out 2>err || fail "$*: $(cat out err)"
  ((checked += 1))
}
# hash_of OPTION...: the decision hash of a run, in `hash`, and the pods that it bound, in `bound`.
hash_of() {
  works "$berth" run "$@" --summary summary.json --bindings bindings.jsonl
  hash=$(sed -n 's/.*"decision_hash": "\([0-9a-f]*\)".*/\1/p' summary.json)
  bound=$(wc -l <bindings.jsonl)
}
decides() {
  local wanted=$1
  shift
  hash_of "$@"
  [[ $hash == "$wanted" ]] || fail "other decisions of: $*"
  ((checked += 1))
}

{
  for i in 0 1 2 3 4 5; do
    cat <<END
---
apiVersion: v1
kind: Node
metadata:
  name: n$i
  labels: {kubernetes.io/hostname: n$i, topology.kubernetes.io/zone: z$((i % 3))}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n$i}
spec: {drivers: [{name: csi.example, nodeID: n$i, allocatable: {count: $((1 + i % 2))}}]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: local-$i}
spec:
  capacity: {storage: $((4 + i))Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: local
  local: {path: /mnt}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n$i]}]
status: {phase: Available}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: bound-$i, labels: {topology.kubernetes.io/zone: z$((i % 3))}}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  claimRef: {namespace: team, name: bound-$i, uid: u$i}
  csi: {driver: csi.example, volumeHandle: h$i}
status: {phase: Bound}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: bound-$i
  namespace: team
  uid: u$i
  annotations: {pv.kubernetes.io/bind-completed: "yes"}
spec: {volumeName: bound-$i, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
status: {phase: Bound}
END
  done
  for i in 0 1 2 3; do
    cat <<END
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-$i, namespace: team}
spec: {storageClassName: local, accessModes: [ReadWriteOnce], resources: {requests: {storage: $((6 + i % 3))Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: made-$i, namespace: team}
spec: {storageClassName: made, accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}}
END
  done
  cat <<'END'
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: made}
provisioner: csi.example
volumeBindingMode: WaitForFirstConsumer
allowedTopologies:
- matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [z1, z2]}]
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.example}
spec: {storageCapacity: true}
---
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: {name: c, namespace: kube-system}
storageClassName: made
nodeTopology: {matchLabels: {topology.kubernetes.io/zone: z2}}
capacity: 100Gi
maximumVolumeSize: 50Gi
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: a}
spec: {attacher: csi.example, nodeName: n1, source: {persistentVolumeName: bound-0}}
---
apiVersion: v1
kind: Pod
metadata: {name: there, namespace: team, uid: there}
spec:
  nodeName: n0
  containers: [{name: c}]
  volumes:
  - {name: a, persistentVolumeClaim: {claimName: bound-0}}
  - {name: b, gcePersistentDisk: {pdName: disk}}
END
} >cluster.yaml

# pod NAME VOLUMES
pod() {
  cat <<END
---
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: team}
spec:
  containers: [{name: c, image: registry.example/app:v1, resources: {requests: {cpu: "1"}}}]
  volumes: [$2]
END
}
{
  for i in 0 1 2 3; do
    pod "bound-$i" "{name: v, persistentVolumeClaim: {claimName: bound-$((i + 1))}}"
    pod "data-$i" "{name: v, persistentVolumeClaim: {claimName: data-$i}}"
    pod "made-$i" "{name: v, persistentVolumeClaim: {claimName: made-$i}}"
    pod "disk-$i" "{name: v, gcePersistentDisk: {pdName: disk}}, {name: w, rbd: {monitors: [m], image: i, pool: p}}"
    pod "inline-$i" "{name: v, csi: {driver: csi.example}}"
    pod "plain-$i" "{name: v, emptyDir: {medium: Memory}}"
  done
  pod absent "{name: v, persistentVolumeClaim: {claimName: nobody}}"
  pod scratch "{name: work, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: made, accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}}}}}"
} >pods.yaml

hash_of --cluster cluster.yaml --pods pods.yaml
whole=$hash all=$bound
((all > 15 && all < 26)) || fail "$all pods were bound: volumes make no difference here"

# Without storage the decisions are others, so the hash shows what comes through.
awk -v RS='---\n' '/kind: Node/ {printf "---\n%s", $0}' cluster.yaml >bare.yaml
hash_of --cluster bare.yaml --pods pods.yaml
[[ $hash != "$whole" ]] || fail "the decisions are the same without storage"

# Each way of two steps between the four formats, of a cluster and of pods.
for first in json yaml jsonl frames; do
  for part in cluster pods; do
    works "$berth" convert $part.yaml --part $part --output $part-1.$first
  done
  decides "$whole" --cluster cluster-1.$first --pods pods-1.$first
  for second in json yaml jsonl frames; do
    for part in cluster pods; do
      works "$berth" convert $part-1.$first --part $part --output $part-2.$second
    done
    decides "$whole" --cluster cluster-2.$second --pods pods-2.$second
  done
done
for format in jsonl frames; do
  works "$berth" convert cluster.yaml pods.yaml --output all.$format
  decides "$whole" --pods all.$format
done

# What is named is what no stream holds.
works "$berth" convert cluster.yaml pods.yaml --to frames
named=$(sed -n 's/.*not in the output: //p' err | tr '\n' ' ')
for field in Pod.spec.volumes PersistentVolumeClaim.spec 'objects of kind'; do
  [[ $named != *"$field "* && $named != *"$field,"* ]] || fail "$field is named: $named"
done
[[ $named == *'Pod.spec.volumes[].emptyDir.medium'* ]] || fail "not named: medium in $named"
[[ $named == *'PersistentVolume.spec.local'* ]] || fail "not named: local in $named"

# What happens to storage, as lines and as frames.
event() {
  printf '{"type":"%s","object":%s}\n' "$1" "$2"
}
claim() {
  printf '{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"namespace":"team","name":"%s"},"spec":{"storageClassName":"%s","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1073741824"}}}}' "$1" "$2"
}
{
  works "$berth" convert cluster.yaml --to jsonl
  cat out
  works "$berth" convert pods.yaml --to jsonl
  cat out
  event ADDED "$(claim nobody local)"
  event MODIFIED "$(claim data-3 made)"
  event DELETED "$(claim made-3 made)"
  event DELETED "$(claim unknown made)"
} >happens.jsonl
works "$berth" run --pods happens.jsonl --summary summary.json --bindings lines.jsonl
happened=$(sed -n 's/.*"decision_hash": "\([0-9a-f]*\)".*/\1/p' summary.json)
grep -qF '"absent"' lines.jsonl || fail "the pod of a claim that came later is not bound: $(cat lines.jsonl)"
works "$berth" convert happens.jsonl --admission off --output happens.frames
works "$berth" run --pods happens.frames --summary summary.json
grep -qF "\"$happened\"" summary.json || fail "other decisions of events in frames"
works "$berth" convert happens.frames --admission off --to jsonl
cp out again.jsonl
works "$berth" convert again.jsonl --admission off --to frames
cmp out happens.frames

echo "$checked checks"
