#!/bin/bash
# berth need: the nodes that pods need. What it says is what berth run does with these nodes.
#   need.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../docs" && pwd)/need.md
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME CPU [SPEC] [LABELS]
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {kubernetes.io/hostname: %s%s}}\nspec: {%s}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "$1" "${4:-}" "${3:-}" "$2"
}
template() { # template NAME CPU PRICE MOST [SPEC] [LABELS]
  printf -- '---\napiVersion: berth/v1\nkind: NodeTemplate\nmetadata: {name: %s, labels: {%s}}\nprice: %s\nmost: %s\nspec: {%s}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "${6:-}" "$3" "$4" "${5:-}" "$2"
}
pod() { # pod NAME CPU [SPEC] [LABELS]
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: default, labels: {%s}}\nspec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: "%s", memory: 1Mi}}}]}\n' "$1" "${4:-}" "${3:-}" "$2"
}
pods() { # pods NAME CPU COUNT [SPEC] [LABELS]
  local i
  for ((i = 0; i < $3; ++i)); do pod "$1-$i" "$2" "${4:-}" "${5:-}"; done
}
value() { # value KEY: the first value of this key in the JSON
  grep -oE "\"$1\": [0-9.]+" out | head -1 | grep -oE '[0-9.]+$'
}

node a 4 >cluster.yaml
node none 1m >none.yaml
pods web 1 16 >pods.yaml
{ template small 2 1 20 && template large 8 3 20; } >templates.yaml
need=("$berth" need --cluster cluster.yaml --node-template templates.yaml)

# Twelve cores more: a large node and two small ones cost less than others.
expect 0 'with 3 nodes more, for 5, 16 of 16 pods have a node' "${need[@]}" --pods pods.yaml
grep -qF 'no cheaper nodes do' out || fail "not exact: $(cat out)"
grep -qE '^ +1 +3 +8  large: cpu 100.0 %' out || fail "no large node: $(cat out)"
grep -qF 'no fewer than 2 nodes, and no less than 4.5, can do (by cpu)' out || fail "bound: $(cat out)"
expect 0 'large-0' "${need[@]}" --pods pods.yaml -o wide
expect 0 '"exact": true' "${need[@]}" --pods - -o json <pods.yaml
expect 0 'exact: true' "${need[@]}" --pods <(cat pods.yaml) -o yaml
cat cluster.yaml pods.yaml >all.yaml
expect 0 'for 5,' "$berth" need all.yaml --node-template templates.yaml
expect 0 'for 6,' "$berth" need --pods pods.yaml --node-template templates.yaml
expect 2 'expected the pods' "$berth" need --cluster cluster.yaml --node-template templates.yaml
pods web 1 3 >few.yaml
expect 0 'with no node more 3 of 3 pods' "${need[@]}" --pods few.yaml
for evaluation in reference full; do
  expect 0 'for 5,' "${need[@]}" --pods pods.yaml --evaluation $evaluation
done

# A node stands for copies of it, without its state; names of the cluster's nodes are passed over.
{ cat cluster.yaml && node large-0 1; } >named.yaml
expect 0 'large-new-0' "$berth" need --cluster named.yaml --pods pods.yaml --node-template templates.yaml -o wide
node b 4 'unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]' >copied.yaml
expect 0 'with 3 nodes more, for 3' "$berth" need --cluster cluster.yaml --pods pods.yaml --node-template copied.yaml

# Added nodes have pods of DaemonSets; the bound does not count those of nodes that are not added.
printf 'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent, namespace: default}\nspec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 500m}}}]}}}\n' >daemons.yaml
{ cat daemons.yaml && pods web 1 7; } >with-daemons.yaml
expect 0 'with 1 node more, for 3, 8 of 8 pods have a node' "$berth" need --pods with-daemons.yaml --node-template templates.yaml
grep -qF 'no less than 2.625, can do (by cpu)' out || fail "bound: $(cat out)"

# The bound counts no room of cordoned nodes, but what pods that tolerate the cordon request.
{ cat cluster.yaml && node closed 8 'unschedulable: true'; } >cordoned.yaml
need_cordoned=("$berth" need --cluster cordoned.yaml --node-template templates.yaml)
expect 0 'with 3 nodes more, for 5, 16 of 16 pods' "${need_cordoned[@]}" --pods pods.yaml
grep -qF 'no fewer than 2 nodes, and no less than 4.5, can do (by cpu)' out || fail "bound: $(cat out)"
{ pods web 1 14 && pods system 1 2 'tolerations: [{operator: Exists}],'; } >tolerant.yaml
expect 0 '16 of 16 pods' "${need_cordoned[@]}" --pods tolerant.yaml
grep -qF 'no less than 3.75, can do (by cpu)' out || fail "bound: $(cat out)"
# Where no plugin keeps pods off cordoned nodes, all of their room counts.
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{plugins: {multiPoint: {disabled: [{name: NodeUnschedulable}]}}}]\n' >open.yaml
expect 0 'with 2 nodes more, for 2' "${need_cordoned[@]}" --pods pods.yaml --config open.yaml

# Pods on a node that is too small for them need no other one.
{ cat cluster.yaml && node over 1 && pod first 3 'nodeName: over,'; } >overfull.yaml
expect 0 'for 5,' "$berth" need --cluster overfull.yaml --pods pods.yaml --node-template templates.yaml
grep -qF 'no less than 4.5, can do (by cpu)' out || fail "bound: $(cat out)"

# The pods may be files of a folder.
mkdir folder
cp pods.yaml folder
expect 0 'for 5,' "${need[@]}" --pods folder

# Pods that no template takes are told with the reason, and the others are served.
{ cat pods.yaml && pods huge 9 2 && pod gpu 1 'nodeSelector: {gpu: "yes"},'; } >stuck.yaml
expect 3 '16 of 19 pods have a node' "${need[@]}" --pods stuck.yaml
grep -qE '^ +1  default/gpu: .*node affinity/selector' out || fail "reasons: $(cat out)"
grep -qE '^ +2  default/huge-0: .*Insufficient cpu' out || fail "reasons: $(cat out)"
{ cat templates.yaml && template gpu 4 9 1 '' 'gpu: "yes"'; } >with-gpu.yaml
{ cat pods.yaml && pod gpu 1 'nodeSelector: {gpu: "yes"},'; } >one-gpu.yaml
expect 0 '17 of 17 pods have a node' "$berth" need --cluster cluster.yaml --pods one-gpu.yaml --node-template with-gpu.yaml
pod single 1 >single.yaml
expect 0 'with no node more 1 of 1 pod has a node' "${need[@]}" --pods single.yaml

# Rules beyond amounts: pods that keep apart, and zones.
pods apart 100m 5 'affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: apart}}}]}},' 'app: apart' >apart.yaml
expect 0 'with 4 nodes more, for 4,' "${need[@]}" --pods apart.yaml
{ template in-x 4 1 9 '' 'topology.kubernetes.io/zone: zx' && template in-y 4 1 9 '' 'topology.kubernetes.io/zone: zy'; } >zones.yaml
pods spread 1 12 'topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: spread}}}],' 'app: spread' >spread.yaml
expect 0 '12 of 12 pods have a node' "$berth" need --pods spread.yaml --node-template zones.yaml

# The last run evicts nobody: a pod of higher priority gets a node, too.
{ node a 4 && pod running 3 'nodeName: a, priority: 0,'; } >full.yaml
pod urgent 2 'priority: 100,' >urgent.yaml
expect 0 'with 1 node more, for 1, 1 of 1 pod' "$berth" need --cluster full.yaml --pods urgent.yaml --node-template templates.yaml --admission off

# The commands of the page that stand beside another program's question, with charts as rendered.
cp cluster.yaml nodes.yaml
cp pods.yaml shop.yaml
template worker 8 1 20 >worker.yaml
mapfile -t commands < <(sed -n '/^## Beside open-simulator/,$s/^berth /"$berth" /p' "$page")
((${#commands[@]} == 2)) || fail "not two commands: ${commands[*]}"
expect 0 '16 of 16 pods have a node' eval "${commands[0]}"
grep -q 'worker-0' out || fail "no names: $(cat out)"
expect 0 '"outcome":"scheduled"' eval "${commands[1]}"

# What it says is scheduled; what is cheaper is not. All sets of nodes are tried.
bound() { # bound NODE...: pods without a node on the cluster with these nodes
  local name cpu
  cp cluster.yaml with.yaml
  for name in "$@"; do
    cpu=2
    [[ $name == small-* ]] || cpu=8
    node "$name" $cpu >>with.yaml
  done
  "$berth" run --cluster with.yaml --pods drawn.yaml --results results.jsonl >page 2>err
  grep -vc '"outcome":"scheduled"' results.jsonl || true
}
for seed in 1 2 3; do
  RANDOM=$seed
  for ((i = 0; i < 12; ++i)); do pod "p-$i" $((RANDOM % 18 * 100 + 200))m; done >drawn.yaml
  expect 0 '"confirmed": true' "${need[@]}" --pods drawn.yaml -o json
  price=$(value price)
  mapfile -t names < <(grep -oE '"(small|large)-[0-9]+"' out | tr -d '"')
  [[ $(bound "${names[@]}") == 0 ]] || fail "seed $seed: ${names[*]} do not do: $(cat out)"
  for ((i = 0; i < ${#names[@]}; ++i)); do
    [[ $(bound "${names[@]:0:i}" "${names[@]:i+1}") != 0 ]] ||
      fail "seed $seed: ${names[i]} can be left out: $(cat out)"
  done
  best=99
  for ((small = 0; small <= 6; ++small)); do
    for ((large = 0; large <= 2; ++large)); do
      ((small + 3 * large < best)) || continue
      names=()
      for ((i = 0; i < small; ++i)); do names+=("small-$i"); done
      for ((i = 0; i < large; ++i)); do names+=("large-$i"); done
      [[ $(bound "${names[@]}") != 0 ]] || best=$((small + 3 * large))
    done
  done
  [[ $price == "$best".0 ]] || fail "seed $seed: $price, and $best does: $(cat out)"
done

# A gang that waits for its last pods has no node.
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n    multiPoint: {enabled: [{name: Coscheduling}]}\n    queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}\n' >gangs.yaml
{
  printf -- '---\napiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {name: g, namespace: default}\nspec: {minMember: 3}\n'
  pods m 2 3 '' 'scheduling.x-k8s.io/pod-group: g'
} >gang.yaml
template one 2 1 1 >one.yaml
expect 3 '0 of 3 pods have a node' "$berth" need --cluster none.yaml --pods gang.yaml --node-template one.yaml --config gangs.yaml
expect 0 '3 of 3 pods have a node' "$berth" need --cluster none.yaml --pods gang.yaml --node-template templates.yaml --config gangs.yaml

# A search that is ended early says so.
pods web 1100m 60 >many.yaml
expect 0 'the search was ended early' "${need[@]}" --pods many.yaml --effort 0

# So does one that is interrupted.
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: many}\nspec: {replicas: 300000, selector: {matchLabels: {app: m}}, template: {metadata: {labels: {app: m}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 700m}}}]}}}\n' >large.yaml
sed 's/most: 20/most: 1000000/' templates.yaml >unlimited.yaml
interrupted '^partial: the search was interrupted' "$berth" need --pods large.yaml --node-template unlimited.yaml

# Faults name the template's file.
printf 'apiVersion: berth/v1\nkind: NodeTemplate\nmetadata: {name: x}\nprice: -1\nstatus: {allocatable: {cpu: "1"}}\n' >wrong.yaml
expect 1 'wrong.yaml:4:8: price: expected a number that is not negative' "$berth" need --pods pods.yaml --node-template wrong.yaml

echo "$checked commands answer as expected"
