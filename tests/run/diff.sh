#!/bin/bash
# berth diff: which pods end differently with two settings, and which rule decides it.
#   diff.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME CPU [SPEC]
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\nspec: {%s}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "${3:-}" "$2"
}
pod() { # pod NAME CPU [SPEC]
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: default}\nspec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: "%s", memory: 1Mi}}}]}\n' "$1" "${3:-}" "$2"
}
config() { # config FILE PROFILE
  printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- %s\n' "$2" >"$1"
}

# The default takes the empty node b, packing the node a, on which a pod runs.
{ node a 4 && node b 4 && pod running 1 'nodeName: a,'; } >cluster.yaml
config packed.yaml '{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}}]}'
diff=("$berth" diff --cluster cluster.yaml)

# The second pod needs a whole node. Which one is left follows from where the first one went: no
# rule differs about it.
{ pod first 3 && pod second 4; } >pods.yaml
expect 3 'score NodeResourcesFit: 1 pod' "${diff[@]}" --pods pods.yaml --config ,packed.yaml
grep -q '2 of 2 pods differ' out || fail "no headline: $(cat out)"
grep -qE 'default/first +b -> a' out || fail "the first pod: $(cat out)"
grep -qE 'b has [0-9]+ against [0-9]+ of a in A|a has' out || fail "no scores: $(cat out)"
grep -q 'follows from an earlier difference: 1 pod' out || fail "nothing follows: $(cat out)"
grep -qE 'default/second +unschedulable -> b' out || fail "the second pod: $(cat out)"
expect 3 'follows from an earlier difference: 1 pod' \
  "${diff[@]}" --pods pods.yaml --config packed.yaml --config ''
expect 3 '"decided_by": "Follows"' "${diff[@]}" --pods pods.yaml --config ,packed.yaml -o json
grep -q '"plugin": "NodeResourcesFit"' out || fail "JSON names no plugin: $(cat out)"
for evaluation in reference full; do
  cp out wanted
  expect 3 '"pods_different": 2' "${diff[@]}" --pods pods.yaml --config ,packed.yaml -o json \
    --evaluation $evaluation
  cmp out wanted || fail "$evaluation: another difference"
done

# Standard input and pipes are read once, and messages name them as the user did.
expect 3 'score NodeResourcesFit: 1 pod' "${diff[@]}" --pods - --config ,packed.yaml <pods.yaml
expect 3 'score NodeResourcesFit: 1 pod' "${diff[@]}" --pods <(cat pods.yaml) --config ,packed.yaml
echo '{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "A/B"}}' >wrong.json
expect 1 'berth: -:' "${diff[@]}" --pods - --config ,packed.yaml <wrong.json
[[ -z $(sort err | uniq -d) ]] || fail "said twice: $(cat err)"

# One file has it all, and settings may differ in a weight.
cat cluster.yaml pods.yaml >all.yaml
config heavy.yaml '{plugins: {score: {enabled: [{name: ImageLocality, weight: 9}], disabled: [{name: ImageLocality}]}}}'
expect 0 'no difference' "$berth" diff all.yaml --config ,heavy.yaml

# Filters: one that refuses the only node, and one that leaves another one.
node t 4 'taints: [{key: k, value: v, effect: NoSchedule}]' >tainted.yaml
config tolerant.yaml '{plugins: {filter: {disabled: [{name: TaintToleration}]}, score: {disabled: [{name: TaintToleration}]}}}'
pod p 1 >one.yaml
expect 3 'filter TaintToleration: 1 pod' \
  "$berth" diff --cluster tainted.yaml --pods one.yaml --config ,tolerant.yaml
grep -qE 'default/p +unschedulable -> t' out || fail "filter: $(cat out)"
grep -q 't is refused in A alone: node(s) had untolerated taint' out || fail "no reason: $(cat out)"
{ node t 8 'taints: [{key: k, value: v, effect: NoSchedule}]' && node u 4 && pod r 1 'nodeName: u,'; } >two.yaml
expect 3 'filter TaintToleration: 1 pod' \
  "$berth" diff --cluster two.yaml --pods one.yaml --config ,tolerant.yaml

# Gates and profiles stand before decisions.
pod gated 1 'schedulingGates: [{name: example.com/g}],' >gated.yaml
config open.yaml '{plugins: {preEnqueue: {disabled: [{name: SchedulingGates}]}}}'
expect 3 'pre-enqueue SchedulingGates: 1 pod' \
  "${diff[@]}" --pods gated.yaml --config ,open.yaml
config other.yaml '{schedulerName: other}'
expect 3 "no profile of the pod's scheduler name: 1 pod" "${diff[@]}" --pods one.yaml --config ,other.yaml

# Preemption: without it the pod stays out, and the pod that it would evict stays.
node s 4 >small.yaml
{ pod low 4 'nodeName: s, priority: 1,' && pod high 4 'priority: 9,'; } >by_priority.yaml
config peaceful.yaml '{plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}}'
expect 3 'preemption by post-filter DefaultPreemption: 2 pods' \
  "$berth" diff --cluster small.yaml --pods by_priority.yaml --config ,peaceful.yaml
grep -qE 'default/low +evicted from s -> stays' out || fail "eviction: $(cat out)"
grep -q 'it leaves for default/high' out || fail "whom the pod leaves for: $(cat out)"

# Draws of 1.34: some seed takes another one of two equal nodes.
{ node e1 4 && node e2 4; } >equal.yaml
for ((seed = 1; seed < 40; ++seed)); do
  status=0
  "$berth" diff --cluster equal.yaml --pods one.yaml --kube-version 1.34 \
    --seed "0,$seed" >out 2>err || status=$?
  ((status == 0)) || break
done
((status == 3)) || fail "no seed differs from 0"
grep -q 'a tie: the nodes are equally good: 1 pod' out || fail "tie: $(cat out)"
expect 0 'no difference' "$berth" diff --cluster equal.yaml --pods one.yaml --seed "0,$seed" --tie-break name

# A search that ends before the best node.
{ for ((i = 0; i < 150; ++i)); do node "n$i" 4; done && node best 400; } >many.yaml
expect 3 'the percentage of nodes to score: 1 pod' "$berth" diff --cluster many.yaml --pods one.yaml \
  --percentage-of-nodes-to-score 100,1

# A profile of which one pod asks sends it elsewhere. No rule differs about any other pod.
small=(mixed --set nodes=60 --set pods=600)
"$loadgen" cluster "${small[@]}" --output load.json 2>err
"$loadgen" pods "${small[@]}" --output load_pods.json 2>err
pod special 1 'schedulerName: special, priority: 990000000,' >special.yaml
affinity='addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-000058]}]}]}}'
config there.yaml $'{schedulerName: default-scheduler}\n- {schedulerName: special}'
config here.yaml $'{schedulerName: default-scheduler}\n- {schedulerName: special, pluginConfig: [{name: NodeAffinity, args: {'"$affinity"'}}]}'
expect 3 'filter NodeAffinity: 1 pod' \
  "$berth" diff load.json load_pods.json special.yaml --config there.yaml,here.yaml
[[ $(grep -cE ': [0-9,]+ pods?$' out) == 2 ]] || fail "several causes: $(cat out)"
grep -qE '^follows from an earlier difference: [0-9]+ pods' out || fail "nothing follows: $(cat out)"

# Asking B changes nothing in A: the decisions of A are those of a run of its own, also with pods that wait for their group.
group='plugins: {multiPoint: {enabled: [{name: Coscheduling}]}, queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}'
config group.yaml "{$group}}"
config open_group.yaml "{$group, filter: {disabled: [{name: TaintToleration}]}}}"
{ node u 1 && node t 15 'taints: [{key: k, value: v, effect: NoSchedule}]'; } >grouped.yaml
{
  printf -- '---\napiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {name: g, namespace: default}\nspec: {minMember: 5}\n'
  for i in 1 2 3 4 5; do
    pod "g$i" 3 | sed 's/namespace: default}/namespace: default, labels: {scheduling.x-k8s.io\/pod-group: g}}/'
  done
} >group_pods.yaml
groups=(--cluster grouped.yaml --pods group_pods.yaml --feature-gates SchedulerPopFromBackoffQ=false)
expect 3 'filter TaintToleration: ' "$berth" diff "${groups[@]}" --config open_group.yaml,group.yaml
grep -qE 'scheduled +5 +0' out || fail "the group: $(cat out)"
"$berth" run "${groups[@]}" --config open_group.yaml --summary - >summary 2>err
expect 3 "$(grep -oE '"decision_hash": "[0-9a-f]+"' summary)" \
  "$berth" diff "${groups[@]}" --config open_group.yaml,group.yaml -o json

# Recorded runs.
for setting in '' packed.yaml; do
  "$berth" run --cluster cluster.yaml --pods pods.yaml --config "$setting" --scores 9 \
    --results "results-$setting.jsonl" >out 2>err
done
expect 3 'score NodeResourcesFit: 1 pod' "$berth" diff results-.jsonl results-packed.yaml.jsonl
grep -q 'Recorded runs tell the first cause' out || fail "recorded: $(cat out)"
expect 0 'no difference' "$berth" diff results-.jsonl results-.jsonl
# Scores are written as results have them, by live and by recorded runs.
for inputs in '--cluster cluster.yaml --pods pods.yaml --config ,packed.yaml' 'results-.jsonl results-packed.yaml.jsonl'; do
  "$berth" diff $inputs -o json >out 2>err || true
  python3 - <<'END' || fail "scores: $(cat out results-.jsonl)"
import json
with open("results-.jsonl") as file:
    first = json.loads(file.readline())
nodes = {node["node"]: node for node in first["scores"]}
pods = {pod["pod"]: pod for pod in json.load(open("out"))["pods"]}
assert pods["default/first"]["scores"]["a"] == [nodes["b"], nodes["a"]], pods
END
done
expect 2 'have their settings already' "$berth" diff results-.jsonl results-.jsonl --seed 1,2
expect 3 'NotRecorded' bash -c "sed 's/,\"scores\".*/}/' results-.jsonl >bare.jsonl &&
  '$berth' diff bare.jsonl results-packed.yaml.jsonl -o json"

# Pages and what is printed.
cp packed.yaml 'a<b>.yaml'
expect 3 '' "${diff[@]}" --pods pods.yaml --config ',a<b>.yaml' --report page.html
grep -q 'a&lt;b&gt;.yaml' page.html || fail "the page does not name the configuration"
! grep -qE 'a<b>|https?://|<script' page.html || fail "the page has markup of the input, or needs a network"
expect 3 '<!DOCTYPE html>' "${diff[@]}" --pods pods.yaml --config ,packed.yaml --report -
expect 3 '... and 2 more' "$berth" diff --cluster cluster.yaml --config ,other.yaml --limit 1 \
  --pods <(pod p1 1 && pod p2 1 && pod p3 1)
"${diff[@]}" --pods <(pod p1 1 && pod p2 1 && pod p3 1) --config ,other.yaml --limit 1 -o wide >out 2>err || true
grep -q 'default/p3' out || fail "-o wide leaves pods out"
expect 1 'page.html' "${diff[@]}" --pods page.html --config ,packed.yaml --report page.html
expect 1 'none/page.html' "${diff[@]}" --pods pods.yaml --config ,missing.yaml --report none/page.html

{ cat cluster.yaml && printf -- '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: many}\nspec: {replicas: 990000, selector: {matchLabels: {app: m}}, template: {metadata: {labels: {app: m}}, spec: {containers: [{name: c, image: i}]}}}\n'; } >large.yaml
# In the first run there is no answer, in the second the one so far.
interrupted 'so there is no answer|^partial: ' "$berth" diff large.yaml --seed 1,2

# Command lines that compare nothing.
expect 2 'the two settings are equal' "${diff[@]}" --pods pods.yaml
expect 2 'found 3 values' "${diff[@]}" --pods pods.yaml --seed 1,2,3
expect 2 'expected one of 1.34, 1.36, found "1.2"' "${diff[@]}" --pods pods.yaml --kube-version 1.34,1.2
expect 2 'unrecognized feature gate' "${diff[@]}" --pods pods.yaml --feature-gates '' --feature-gates Nothing=true
expect 2 'expected the pods to schedule' "${diff[@]}" --seed 1,2
expect 1 'no.yaml' "${diff[@]}" --pods pods.yaml --config ,no.yaml
expect 0 '1.36' "${diff[@]}" --pods one.yaml --config packed.yaml --kube-version 1.34,1.36

# The version of the rules is named by what describes a run.
expect 0 'Kubernetes 1.34)' "$berth" run --cluster cluster.yaml --pods one.yaml --kube-version 1.34
expect 0 '"kube_version": "1.36"' "$berth" run --cluster cluster.yaml --pods one.yaml --summary -
expect 0 'Kubernetes 1.34' "$berth" explain --cluster cluster.yaml --pod one.yaml --kube-version 1.34
expect 0 'v1.36.2' "$berth" version
echo "diff: $checked commands"
