#!/bin/bash
# berth run --what-if: what becomes of every pod if nodes or workloads change.
#   what_if.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME ZONE CPU
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {kubernetes.io/hostname: %s, topology.kubernetes.io/zone: %s}}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "$1" "$2" "$3"
}
workload() { # workload KIND NAME CPU REPLICAS
  local service=
  [[ $1 != StatefulSet ]] || service="serviceName: $2,"
  printf -- '---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: %s, namespace: default}\nspec: {replicas: %s, %s selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "%s"}}}]}}}\n' "$1" "$2" "$4" "$service" "$2" "$2" "$3"
}
budget() { # budget NAME MIN
  printf -- '---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %s, namespace: default}\nspec: {minAvailable: %s, selector: {matchLabels: {app: %s}}}\n' "$1" "$2" "$1"
}
script() { # script STEP...: writes script.yaml
  printf 'apiVersion: berth/v1\nkind: WhatIf\nsteps:\n' >script.yaml
  printf -- '- %s\n' "$@" >>script.yaml
}
ask() { # ask STATUS TEXT [OPTION...]
  local status=$1 text=$2
  shift 2
  expect "$status" "$text" "$berth" run cluster.yaml --what-if script.yaml "$@"
}
has() { grep -qF -- "$1" out || fail "no \"$1\": $(cat out err)"; }
# fates: the pods by fate, of the JSON.
fates() { grep -oE '"fate": "[a-z_]+"' out | sort | uniq -c | sed -E 's/ +([0-9]+) "fate": "(.*)"/\1 \2/'; }

{ node a1 a 4 && node a2 a 4 && node b1 b 4 && node b2 b 4 && workload Deployment web 1 8; } >cluster.yaml

# An empty script changes nothing.
printf 'apiVersion: berth/v1\nkind: WhatIf\nsteps: []\n' >script.yaml
ask 0 'no pod changes'
ask 0 '"pods": []' -o json
sed -n '/"before"/,/^  },/p' out | sed 1d >before
sed -n '/"after"/,/^  },/p' out | sed 1d >after
cmp before after || fail "an empty script makes a difference: $(diff before after)"

# A zone goes: the pods of its nodes run in the other one, 40 s to 60 s later.
script 'remove: {nodes: topology.kubernetes.io/zone=a}'
ask 0 'no pod is worse off'
has '4  left their nodes'
has '4  run in another place'
has 'a -> b'
has 'everything runs again'
ask 0 '"owner": "Deployment default/web"' -o json
[[ $(fates) == '4 moved' ]] || fail "fates: $(fates)"
cp out one
ask 0 '"pods_worse_off": 0' -o json --threads 2
cmp out one || fail "two threads differ from one"
ask 0 '"pods_worse_off": 0' -o json --evaluation reference
cmp out one || fail "the reference evaluation differs"

# Too little room: some pods wait, and the exit status says so.
sed 's/replicas: 8/replicas: 12/' cluster.yaml >more.yaml
expect 3 '4 of 12 pods are worse off' "$berth" run more.yaml --what-if script.yaml
has 'not everything runs again'
has 'Insufficient cpu'
expect 3 'waits' "$berth" run more.yaml --what-if script.yaml -o wide

# Steps at one time are in the order of the file; times count.
script 'remove: {nodes: topology.kubernetes.io/zone=a}' 'cordon: {node: a1}'
ask 1 'steps[1].cordon.node: there is no node "a1" at that time'
script 'cordon: {node: a1}' 'remove: {nodes: topology.kubernetes.io/zone=a}'
ask 0 'no pod is worse off'
script 'cordon: {nodes: topology.kubernetes.io/zone=b}' 'remove: {node: a1}' \
  '{after: 10m, uncordon: {nodes: topology.kubernetes.io/zone=b}}'
ask 0 '"pods_worse_off": 0' -o json
script '{at: 1h, cordon: {node: a1}}' '{after: 1m, uncordon: {node: a1}}'
ask 0 'at 1h0m0s: cordon node a1'
has 'at 1h1m0s: uncordon node a1'

# A drain heeds budgets, and names those that refuse.
budget web 8 >budget.yaml
cp cluster.yaml plain.yaml
cat budget.yaml >>cluster.yaml
script 'drain: {node: a1}'
ask 3 'Evictions that budgets refused'
has '1 drain is not done; no pod changes'
has 'The disruption budget web needs 8 healthy pods and has 8 currently'
has 'node a1: drain_under_way'
script 'drain: {node: a1, options: --disable-eviction}'
ask 0 'no pod is worse off'
grep -q 'budget web needs' out && fail "a drain by deletion asks budgets: $(cat out)"
cp plain.yaml cluster.yaml
script 'drain: {node: a1}'
ask 0 'EvictionByEvictionAPI' -o wide
# A bare pod stops the drain, as kubectl's; with --force it is gone.
printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare, namespace: default}\nspec: {nodeName: a1, containers: [{name: c, image: i}]}\n' >>cluster.yaml
ask 3 'drain_refused'
ask 3 '"drains_not_done": 1' -o json
script 'drain: {node: a1, options: --force}'
ask 3 '1 of 9 pods is worse off'
has 'default/bare'
cp plain.yaml cluster.yaml

{ cat cluster.yaml && workload Deployment many 1m 990000; } >large.yaml
# Ctrl-C in the first run says that there is no answer, in the second it gives the one so far.
interrupted 'so there is no answer|^partial: ' "$berth" run large.yaml --what-if script.yaml

# Taints, labels, scaling.
script 'taint: {node: a1, key: k, effect: NoExecute}'
ask 0 'DeletionByTaintManager'
script 'taint: {nodes: topology.kubernetes.io/zone, key: k, effect: NoSchedule}' 'untaint: {node: a1, key: k}' \
  'remove: {node: b1}'
ask 0 'no pod is worse off'
script 'label: {nodes: topology.kubernetes.io/zone=a, set: {topology.kubernetes.io/zone: c}}'
ask 0 'no pod changes'
has '  *'
script 'scale: {workload: Deployment/web, replicas: 3}'
ask 0 '5  are gone, as a step asks'
script 'scale: {workload: Deployment/web, replicas: 20}'
ask 0 '8  run that did not run before'
has '4  are new and wait for a node'
{ node s1 a 4 && node s2 b 4 && workload StatefulSet db 1 3; } >stateful.yaml
script 'remove: {node: s1}'
expect 0 'no pod is worse off' "$berth" run stateful.yaml --what-if script.yaml -o wide

# Another configuration, or version.
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- pluginConfig:\n  - name: NodeResourcesFit\n    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}\n  plugins: {score: {disabled: [{name: "*"}], enabled: [{name: NodeResourcesFit, weight: 1}]}}\n' >most.yaml
script 'configure: {config: most.yaml}'
ask 0 'no pod is worse off'
has 'run in another place'
script 'configure: {kubeVersion: "1.34"}'
ask 0 '1.34'

# Streams and standard input are read twice; the input is not changed.
"$berth" convert cluster.yaml --to jsonl --output lines.jsonl 2>/dev/null
script 'remove: {node: a1}'
sum=$(cksum <lines.jsonl)
expect 0 'no pod is worse off' "$berth" run - --what-if script.yaml <cluster.yaml
expect 3 'worse off' "$berth" run --pods lines.jsonl --what-if script.yaml
[[ $(cksum <lines.jsonl) == "$sum" ]] || fail "the input was changed"
expect 0 'no pod is worse off' "$berth" run cluster.yaml --what-if - <script.yaml

# The lines of a watch are the changes, in their order and at their times.
gone() { printf '{"type":"DELETED"%s,"object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"}}}\n' "${2:-}" "$1"; }
lines() { # lines STATUS TEXT [OPTION...]: of watch.jsonl
  expect "$1" "$2" "$berth" run cluster.yaml --what-if watch.jsonl "${@:3}"
}
script 'remove: {nodes: topology.kubernetes.io/zone=a}'
ask 0 '"pods_worse_off": 0' -o json
fates >wanted
{ gone a1 && gone a2; } >watch.jsonl
lines 0 '4  left their nodes'
has 'lines 1 to 2: DELETED Node a1, a2'
has '2 nodes (4 pods): a1, a2'
has '4 pods left: DeletionByPodGC'
lines 0 '"pods_worse_off": 0' -o json
fates | cmp - wanted || fail "a watch differs from a script: $(fates)"
cp out one
lines 0 '' -o json --evaluation reference
cmp out one || fail "the reference evaluation differs"
expect 0 '4  left their nodes' "$berth" run cluster.yaml --what-if - <watch.jsonl
{ gone a1 && gone a2 ',"time":"1h"'; } >watch.jsonl
lines 0 'at 1h0m0s: line 2: DELETED Node a2'
# Pods, workloads and requests for evictions.
bare='"kind":"Pod","apiVersion":"v1","metadata":{"name":"bare","namespace":"default"}'
printf '{"type":"ADDED","object":{%s,"spec":{"containers":[{"name":"c","image":"i"}]}}}\n' "$bare" >watch.jsonl
lines 0 '1  run that did not run before'
has 'line 1: ADDED Pod default/bare'
printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare, namespace: default}\nspec: {nodeName: a1, containers: [{name: c, image: i}]}\n' >>cluster.yaml
printf '{"type":"DELETED","object":{%s,"spec":{"containers":[{"name":"c","image":"i"}]}}}\n' "$bare" >watch.jsonl
lines 0 '1  are gone, as a step asks'
has '1 pod left: deleted'
printf '{"type":"ADDED","object":{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"bare","namespace":"default"}}}\n' >watch.jsonl
lines 3 '1 of 9 pods is worse off'
has '1 pod left: EvictionByEvictionAPI'
cp plain.yaml cluster.yaml
web() { # web REPLICAS IMAGE: the Deployment as it is to be
  printf '{"type":"MODIFIED","object":{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},"spec":{"replicas":%s,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"%s","resources":{"requests":{"cpu":"1"}}}]}}}}}\n' "$1" "$2"
}
web 3 i >watch.jsonl
"$berth" run cluster.yaml --what-if watch.jsonl -o wide >out 2>err || true
has 'MODIFIED Deployment default/web'
lines 0 '5  are gone, as a step asks'
web 8 other >watch.jsonl
lines 0 '8  run in another place'
{ gone a1 && echo && gone nowhere; } >watch.jsonl
lines 1 'watch.jsonl:3: object: there is no node "nowhere" at that time'
{ gone a1 && echo '{"type":"GONE","object":{}}' && echo '{'; } >watch.jsonl
lines 1 'watch.jsonl:2:1: type: expected ADDED, MODIFIED, DELETED'
grep -qF 'watch.jsonl:3' err || fail "one fault alone: $(cat err)"
printf '{"type":"DELETED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"nobody","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i"}]}}}\n' >watch.jsonl
lines 1 'watch.jsonl:1: object: there is no pod "default/nobody" at that time'
printf '{"type":"ADDED","object":{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"nobody","namespace":"default"}}}\n' >watch.jsonl
lines 1 'watch.jsonl:1: object: there is no pod "default/nobody" at that time'
printf '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"A/B"},"spec":{"containers":[{"name":"c","image":"i"}]}}}\n' >watch.jsonl
lines 1 'watch.jsonl:1'

# Faults of the script, the command line, and the input.
script 'drian: {node: a1}'
ask 1 'script.yaml:4:10: steps[0].drian: unknown field "drian"; did you mean "drain"?'
script 'scale: {workload: Deployment/wbe, replicas: 1}'
ask 1 'did you mean "Deployment default/web"?'
script 'cordon: {nodes: topology.kubernetes.io/zone=aa}'
ask 1 'no node is selected by'
script 'cordon: {node: a1}'
ask 2 '--bindings' --bindings out.jsonl
ask 2 '--record' --record journal
ask 2 'virtual clock' --clock wall
expect 1 'missing.yaml' "$berth" run cluster.yaml --what-if missing.yaml
printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: "Bad_Name"}\nspec: {containers: [{name: c, image: i}]}\n' >>cluster.yaml
ask 1 'Bad_Name'

# The page.
cp plain.yaml cluster.yaml
script 'remove: {nodes: topology.kubernetes.io/zone=a}'
ask 0 'no pod is worse off' --report page.html
grep -q '<title>berth run --what-if: no pod is worse off</title>' page.html || fail "no page"
grep -q 'remove nodes topology.kubernetes.io/zone=a' page.html || fail "no step on the page"
grep -qE 'https?://' page.html && fail "the page needs a network"
ask 0 '</html>' --report -
ask 1 'none/page.html' --report none/page.html --config missing.yaml
echo "$checked commands as expected"
