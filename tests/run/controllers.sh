#!/bin/bash
# The controllers that a run plays, as --controllers names them.
#   controllers.sh BERTH EXAMPLE FOLDER
# EXAMPLE is examples/evictions/two-taints.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 example=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

run=("$berth" run --cluster "$example/cluster.yaml" --pods "$example/watch.jsonl")
disrupted() { grep -o '"pods_disrupted": [0-9]*' summary.json; }

expect 0 'evicted by controllers' "${run[@]}" --summary summary.json
[[ $(disrupted) == '"pods_disrupted": 3' ]]
expect 0 scheduled "${run[@]}" --controllers '' --summary summary.json
[[ $(disrupted) == '"pods_disrupted": 0' ]]
expect 0 scheduled "${run[@]}" --controllers '*,-taint-eviction-controller' --summary summary.json
[[ $(disrupted) == '"pods_disrupted": 0' ]]
expect 0 'evicted by controllers' "${run[@]}" --controllers taint-eviction-controller
expect 2 'no controller is called "taints"; there are daemonset-controller, ' "${run[@]}" \
  --controllers taints

# A Deployment of which a pod is deleted, by name: its controller makes another one.
node='{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"8","memory":"8Gi","pods":"110"}}}'
template='"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}'
deployment() {
  echo '{"type":"'"$1"'","object":{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":'"$2"',"selector":{"matchLabels":{"a":"b"}},'"$template"'}}}'
}
echo "$node" >cluster.json
web=("$berth" run --cluster cluster.json --pods watch.jsonl --results results.jsonl)
number() { [[ $(grep -c '"outcome":"scheduled"' results.jsonl) == "$1" ]] || fail "not $1 pods: $(cat results.jsonl)"; }
deployment ADDED 2 >watch.jsonl
expect 0 scheduled "${web[@]}"
number 2
pod=$(head -1 results.jsonl | sed 's/.*"name":"\([^"]*\)".*/\1/')
echo '{"type":"DELETED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$pod"'","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i"}]}}}' >>watch.jsonl
expect 0 scheduled "${web[@]}"
number 3
[[ $(grep -c '"gone":true' results.jsonl) == 1 ]]
expect 0 scheduled "${web[@]}" --controllers '*,-replicaset-controller'
number 2
deployment MODIFIED 5 >>watch.jsonl
expect 0 scheduled "${web[@]}"
number 6
# All of it comes before the controller acts.
deployment DELETED 5 >>watch.jsonl
expect 0 scheduled "${web[@]}"
number 2
[[ $(grep -c '"gone":true' results.jsonl) == 2 ]]

# A new template replaces the pods of the former one, which has all of its pods by then.
deployment MODIFIED 5 | sed 's/"image":"i"/"image":"j"/; s/^{/{"time":"60s",/' >>watch.jsonl
sed -i '/DELETED.*Deployment/d' watch.jsonl
expect 0 scheduled "${web[@]}"
number 11

# What is not played is named.
sed -i 's/"kind":"Deployment"/"kind":"StatefulSet"/' watch.jsonl
expect 0 'change of a workload is not played: StatefulSet default/web (its template)' "${web[@]}"
echo '{"type":"ADDED","object":{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"completions":2,"completionMode":"Indexed","backoffLimitPerIndex":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}' >watch.jsonl
expect 0 'workload has no controller here: Job default/j (spec.backoffLimitPerIndex)' "${web[@]}"
{
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q","namespace":"default"},"spec":{"hard":{"pods":"9"}}}}'
  deployment ADDED 2
} >watch.jsonl
expect 0 'workload is in a namespace with a ResourceQuota: Deployment default/web' "${web[@]}"
deployment ADDED -1 | sed s/ADDED/MODIFIED/ >watch.jsonl
expect 1 'watch.jsonl:1:' "${web[@]}"

# A dump: its workloads have their UIDs, and their pods.
cat >cluster.json <<END
{"apiVersion":"v1","kind":"List","items":[$node,
{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"rs","namespace":"default","uid":"u"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},$template}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"rs-a","namespace":"default","uid":"ua","labels":{"a":"b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true}]},
 "spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]},"status":{"phase":"Running"}}]}
END
echo '{"type":"DELETED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"rs-a","namespace":"default","uid":"ua"},"spec":{"containers":[{"name":"c","image":"i"}]}}}' >watch.jsonl
expect 0 scheduled "${web[@]}"
number 1
grep -q '"name":"rs-[a-z0-9]\{5\}"' results.jsonl

# A drain is played with any controller, and named without.
cat >drained.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: n1, annotations: {berth/drain: "--force"}}
status: {allocatable: {cpu: "4", pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {nodeName: n1, containers: [{name: c, image: registry.example/app:v1}]}
status:
  conditions:
  - {type: DisruptionTarget, status: "True", reason: EvictionByEvictionAPI, message: "Eviction API: evicting"}
---
apiVersion: v1
kind: Pod
metadata: {name: q}
spec: {containers: [{name: c, image: registry.example/app:v1}]}
END
expect 0 '"nodes_drained": 1' "$berth" run drained.yaml --summary -
expect 0 'node is to be drained: n1; without controllers nobody' "$berth" run drained.yaml --controllers ''
sed 's/--force/--quickly/' drained.yaml >wrong.yaml
expect 1 ': n1: metadata.annotations: kubectl drain has no option --quickly' \
  "$berth" run wrong.yaml

# What evicted a pod is said where it is explained, too.
expect 0 'the pod was evicted: EvictionByEvictionAPI: Eviction API: evicting' \
  "$berth" explain drained.yaml --pod p
