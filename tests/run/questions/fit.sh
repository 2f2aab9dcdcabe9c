#!/bin/bash
# berth fit: how many copies fit. What it says is what berth run does with so many pods.
#   fit.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME CPU [SPEC] [LABELS]
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {kubernetes.io/hostname: %s%s}}\nspec: {%s}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "$1" "${4:-}" "${3:-}" "$2"
}
pod() { # pod NAME CPU [SPEC] [LABELS]
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: default, labels: {%s}}\nspec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: "%s", memory: 1Mi}}}]}\n' "$1" "${4:-}" "${3:-}" "$2"
}
deployment() { # deployment NAME CPU REPLICAS [SPEC]
  printf -- '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: default}\nspec: {replicas: %s, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: "%s"}}}]}}}\n' "$1" "$3" "$1" "$1" "${4:-}" "$2"
}
number() { # number KEY: the first value of this key in the JSON
  grep -oE "\"$1\": [0-9]+" out | head -1 | grep -oE '[0-9]+$'
}

{ node a 4 '' ', topology.kubernetes.io/zone: zx' && node b 2 '' ', topology.kubernetes.io/zone: zy' &&
  node t 8 'taints: [{key: k, value: v, effect: NoSchedule}]' && pod running 1 'nodeName: a,'; } >cluster.yaml
pod web 1 >pod.yaml
fit=("$berth" fit --cluster cluster.yaml)

# A pod, the nodes, and what limits it.
expect 0 '5 copies of Pod default/web fit' "${fit[@]}" --pod pod.yaml
grep -qF 'the next copy is unschedulable: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.' out ||
  fail "no reason: $(cat out)"
grep -qE '^ +2  Insufficient cpu$' out || fail "reasons are not counted: $(cat out)"
grep -qE '^ +3  a$' out && grep -qE '^ +3  zx$' out || fail "nodes and zones: $(cat out)"
expect 0 '5 of 5 copies' "${fit[@]}" --pod pod.yaml --count 5
expect 3 '5 of 6 copies' "${fit[@]}" --pod pod.yaml --count 6
pod large 9 >large.yaml
expect 3 '0 copies' "${fit[@]}" --pod large.yaml
expect 0 'cpu: 6.0 cores of 14.0 cores' "${fit[@]}" --pod pod.yaml -o wide
expect 0 'stopped_by:' "${fit[@]}" --pod - -o yaml <pod.yaml
mkdir folder && cp pod.yaml folder/pod.yaml && mkdir all && cp cluster.yaml all/cluster.yaml
expect 0 '5 copies' "$berth" fit --cluster all --pod folder
expect 2 '--count: excludes --replicas' "${fit[@]}" --pod pod.yaml --count 1 --replicas
expect 1 'can be read once' "$berth" fit --cluster - --pod - <pod.yaml

# Several in turn, until the first that does not fit; and as many as manifests ask for.
{ deployment small 500m 4 && deployment big 2 1; } >two.yaml
expect 0 '2 copies of Deployment default/small fit' "${fit[@]}" --pod two.yaml
grep -qF '1 copy of Deployment default/big fits' out || fail "not in turn: $(cat out)"
grep -qF 'the next copy of Deployment default/big is unschedulable' out || fail "stop: $(cat out)"
expect 0 '4 of 4 copies of Deployment default/small' "${fit[@]}" --pod two.yaml --replicas

# Names that pods have are passed over: a copy is none of them.
{ cat cluster.yaml && pod web-1 1 'nodeName: b,'; } >named.yaml
expect 0 '4 copies' "$berth" fit --cluster named.yaml --pod pod.yaml

# Copies of a Deployment are those of one controller, which the default spreading tells apart; and
# one hard constraint ends them early.
deployment spread 100m 1 'topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: spread}}}],' >spread.yaml
{ node a 4 '' ', topology.kubernetes.io/zone: zx' && node b 1 '' ', topology.kubernetes.io/zone: zy'; } >zones.yaml
expect 0 '21 copies' "$berth" fit --cluster zones.yaml --pod spread.yaml
grep -qF "didn't match pod topology spread constraints" out || fail "spread: $(cat out)"

# Preemption is off, unless it is asked for. The victim leaves first.
pod urgent 1 'priority: 1000,' >urgent.yaml
expect 0 '5 copies' "${fit[@]}" --pod urgent.yaml --admission off
! grep -q preemption out || fail "preemption was asked: $(cat out)"
expect 0 '6 copies' "${fit[@]}" --pod urgent.yaml --admission off --preempt
grep -qF '1 pod evicted for them' out || fail "evictions: $(cat out)"

# Budgets are counted: one that allows its pod to leave does not make another pod the victim.
{
  node a 1 && node b 1 && pod free 1 'nodeName: a, priority: 1,' 'app: free' && pod other 1 'nodeName: b, priority: 2,'
  printf -- '---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: free, namespace: default}\nspec: {minAvailable: 0, selector: {matchLabels: {app: free}}}\n'
} >budgets.yaml
expect 0 '1 of 1 copies' "$berth" fit --cluster budgets.yaml --pod urgent.yaml --admission off --preempt --count 1
grep -qE '^ +1  a$' out || fail "the pod of the other node is the victim: $(cat out)"

# Whole gangs count, and each gets a group of its own.
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n    multiPoint: {enabled: [{name: Coscheduling}]}\n    queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}\n' >gang-config.yaml
{
  printf -- '---\napiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {name: g, namespace: default}\nspec: {minMember: 3}\n'
  for i in 1 2 3; do pod "m$i" 1 '' 'scheduling.x-k8s.io/pod-group: g'; done
} >gang.yaml
expect 0 '1 copy of 3 pods of group default/g fits' "${fit[@]}" --pod gang.yaml --config gang-config.yaml

# A gang that does not fit is not in the cluster, and evicted nobody.
expect 0 '1 copy of 3 pods of group default/g fits' "${fit[@]}" --pod gang.yaml --config gang-config.yaml -o wide
grep -qF 'cpu: 4.0 cores of 14.0 cores' out || fail "the gang that does not fit counts: $(cat out)"
sed 's/spec: { containers/spec: {priority: 1000, containers/' gang.yaml >urgent-gang.yaml
{ cat zones.yaml && pod running 1 'nodeName: a,'; } >small.yaml
fit=("$berth" fit --cluster small.yaml)
expect 0 '1 copy of 3 pods' "${fit[@]}" --pod urgent-gang.yaml --preempt --admission off
! grep -q evicted out || fail "pods were evicted for a gang that does not fit: $(cat out)"
# It ends, though the pods of that gang take and lose nodes in turns.
expect 0 '1 copy of 3 pods' "${fit[@]}" --pod urgent-gang.yaml --preempt --admission off --config gang-config.yaml
fit=("$berth" fit --cluster cluster.yaml)

# A quota refuses copies as an API server does, and those before it count.
{ cat cluster.yaml && printf -- '---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: default}\nspec: {hard: {requests.cpu: "3"}}\n'; } >quota.yaml
expect 0 '2 copies' "$berth" fit --cluster quota.yaml --pod pod.yaml
grep -qF 'exceeded quota: q' out || fail "quota: $(cat out)"

# StatefulSets get claims of their own.
{
  printf -- '---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: p.io/p\nvolumeBindingMode: WaitForFirstConsumer\n'
  printf -- '---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\nspec: {serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: s, resources: {requests: {storage: 1Gi}}}}]}\n'
} >stateful.yaml
expect 0 '5 copies of StatefulSet default/db fit' "${fit[@]}" --pod stateful.yaml

# Ctrl-C gives the answer so far.
"$loadgen" cluster mixed --output nodes.json 2>err
sed 's/"pods":"110"/"pods":"1000"/g' nodes.json >wide.json
pod tiny 10m >tiny.yaml
interrupted '^partial: the search was interrupted' "$berth" fit --cluster wide.json --pod tiny.yaml

# A run with as many pods binds them all, to the same nodes, and refuses one more.
check_run() { # check_run CLUSTER NAME CPU SEED EVALUATION
  pod "$2" "$3" >"$2.yaml"
  expect 0 '"fits": true' "$berth" fit --cluster "$1" --pod "$2.yaml" --seed "$4" -o json --evaluation "$5"
  local copies i
  copies=$(number copies)
  sed -nE 's/.*"node": "(.*)",?$/\1/p; s/.*"pods": ([0-9]+),?$/\1/p' <(sed -n '/"nodes": \[/,/\]/p' out) |
    paste - - | sort >wanted
  for ((i = 0; i <= copies; ++i)); do pod "$2-$i" "$3"; done >copies.yaml
  "$berth" run --cluster "$1" --pods copies.yaml --seed "$4" --results results.jsonl >page 2>err
  [[ $(grep -c '"outcome":"scheduled"' results.jsonl) == "$copies" ]] ||
    fail "fit says $copies: $(grep -c '"outcome":"scheduled"' results.jsonl) are bound"
  grep "\"$2-$copies\"" results.jsonl | grep -q unschedulable || fail "one more is bound"
  grep '"outcome":"scheduled"' results.jsonl | sed -E 's/.*"node":"([^"]*)".*/\1/' | sort | uniq -c |
    awk '{ print $2 "\t" $1 }' | sort >bound
  cmp wanted bound || fail "other nodes: $(diff wanted bound)"
}
for seed in 1 2 3; do
  "$loadgen" cluster mixed --set nodes=30 --seed $seed --output drawn.json
  check_run drawn.json drawn 1500m $seed incremental
  check_run drawn.json tiny 700m $seed full
done
check_run drawn.json other 2500m 7 reference

echo "$checked commands answer as expected"
