#!/bin/bash
# Manifests as kubectl applies them: their pods are made, and admitted as an API server admits them.
#   manifests.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() {
  echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"'"$1"'","labels":{"kubernetes.io/hostname":"'"$1"'"}},"spec":{'"${2:-}"'},
"status":{"allocatable":{"cpu":"8","memory":"16Gi","pods":"110"}}}'
}
{ node n0; node n1; node n2 '"taints":[{"key":"own","effect":"NoSchedule"}]'; } >cluster.json
run=("$berth" run --cluster cluster.json --bindings bindings.jsonl)
# bound COUNT PATTERN: so many bindings match.
bound() {
  local count
  count=$(grep -cE -- "$2" bindings.jsonl || true)
  [[ $count == "$1" ]] || fail "$count bindings match $2, expected $1: $(cat bindings.jsonl)"
  ((checked += 1))
}

# The Deployment of the Kubernetes documentation.
cat >deployment.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: nginx-deployment
  labels:
    app: nginx
spec:
  replicas: 3
  selector:
    matchLabels:
      app: nginx
  template:
    metadata:
      labels:
        app: nginx
    spec:
      containers:
      - name: nginx
        image: nginx:1.14.2
        ports:
        - containerPort: 80
END
expect 0 'scheduled               3' "${run[@]}" --pods deployment.yaml
bound 3 '"nginx-deployment-[a-z0-9]+-[a-z0-9]{5}"'
cp bindings.jsonl first.jsonl
expect 0 'scheduled               3' "${run[@]}" --pods deployment.yaml
cmp first.jsonl bindings.jsonl
expect 0 'stands for 3 pods; this explains the first, "nginx-deployment-' \
  "$berth" explain --cluster cluster.json --pod deployment.yaml

# Each kind, in a List and beside it.
template() { echo 'template: {metadata: {labels: {app: '"$1"'}}, spec: {'"${2:-}"' containers: [{name: a, image: b}]}}'; }
cat >kinds.yaml <<END
apiVersion: v1
kind: List
items:
- {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {replicas: 2, selector: {matchLabels: {app: db}}, $(template db)}}
- {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: {app: agent}}, $(template agent)}}
- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: set}, spec: {replicas: 2, selector: {matchLabels: {app: set}}, $(template set)}}
---
{apiVersion: v1, kind: ReplicationController, metadata: {name: old}, spec: {replicas: 1, $(template old)}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: pi}, spec: {parallelism: 5, completions: 2, completionMode: Indexed, $(template pi 'restartPolicy: Never,')}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {jobTemplate: {spec: {$(template n)}}}}
END
expect 0 '1 CronJob is not run: default/nightly' "${run[@]}" --pods kinds.yaml
bound 1 '"db-0"'
bound 1 '"db-1"'
bound 2 '"agent-.....","node":"n[01]"'
bound 2 '"set-....."'
bound 1 '"old-....."'
bound 1 '"pi-0-....."'
bound 1 '"pi-1-....."'
bound 9 .

# A stream: manifests among the events; what an API server made is taken as it is.
{
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"n3"},"status":{"allocatable":{"pods":"110"}}}}'
  echo '{"type":"ADDED","object":{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}}}'
  echo '{"type":"ADDED","object":{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"made","uid":"u"},"spec":{"replicas":4,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}}}'
} >stream.jsonl
expect 0 'scheduled               3' "${run[@]}" --pods stream.jsonl
bound 1 '"agent-.....","node":"n3"'

# Pods that came before a manifest are its pods; names of finished ones are free, of others not.
owned() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'","uid":"'"$1"'","ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db","uid":"s","controller":true}]},"spec":{"nodeName":"n0","containers":[{"name":"c"}]},"status":{"phase":"'"$2"'"}}'
}
stateful='{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},"spec":{"replicas":4,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}}'
added() { echo '{"type":"ADDED","object":'"$1"'}'; }
{
  added "$(owned db-0 Running)"
  added "$(owned db-1 Failed)"
  added "$stateful"
  added "$(owned gone Running)"
} >existing.jsonl
expect 0 '1 pod of a workload exists already: StatefulSet default/db; only the missing pods are created' \
  "${run[@]}" --pods existing.jsonl
bound 3 '"db-[123]"'
bound 3 .
{
  owned db-0 Running
  owned db-1 Failed
} >existing.json
expect 0 'scheduled               3' "$berth" run --cluster cluster.json existing.json --pods - <<<"$stateful"
{
  cat cluster.json existing.json
  echo "$stateful"
} >existing_all.json
"$loadgen" stream existing_all.json --output existing.frames 2>err || fail "loadgen: $(cat err)"
expect 0 'scheduled               3' "$berth" run --pods existing.frames
expect 0 '1 pod of a workload exists already' "$berth" convert existing_all.json --output existing_all.frames
expect 0 'scheduled               3' "$berth" run --pods existing_all.frames

# A dump of a cluster has the pods already.
echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"one"},"spec":{"containers":[{"name":"c"}]}}' >one.json
expect 0 'scheduled               1' "$berth" run --cluster cluster.json kinds.yaml --pods one.json

# A ReplicaSet whose Deployment is in no file lacks its pods, which is told. Here it is in another file.
echo '{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web-abc","uid":"r","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","controller":true}]},"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}}' >set.json
echo '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}}' >web.json
expect 0 '3 pods of ReplicaSets are missing: ReplicaSet default/web-abc; their Deployments would create them' \
  "$berth" run cluster.json set.json one.json
expect 0 'scheduled               3' "$berth" run cluster.json set.json web.json
! grep -q 'are missing' err || fail "its Deployment is there: $(cat err)"
cat cluster.json web.json >deployed.json
cat set.json one.json >undeployed.json
expect 0 'their Deployments would create them: give these beside the ReplicaSets' \
  "$berth" run --cluster deployed.json --pods undeployed.json

# berth-loadgen makes the pods of manifests beside the nodes of a cluster.
for n in n0 n1; do
  node $n
  echo ---
done | cat - deployment.yaml >manifests.yaml
"$loadgen" stream manifests.yaml --output manifests.frames 2>err || fail "loadgen: $(cat err)"
expect 0 'scheduled               3' "$berth" run --pods manifests.frames

# A kind that holds pods and is not expanded.
cat >rollout.yaml <<'END'
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: r}
spec: {template: {spec: {containers: [{name: a}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: a}]}
END
expect 1 'rollout.yaml:1:1: objects of kind Rollout are not expanded: the pods of its spec.template' \
  "${run[@]}" --pods rollout.yaml
bound 1 '"p"'
{
  node n0
  echo ---
  cat rollout.yaml
} >rollout_cluster.yaml
expect 1 'objects of kind Rollout are not expanded: the pods of its spec.template are not there' \
  "$loadgen" stream rollout_cluster.yaml --output rollout.frames
expect 0 'scheduled               1' "$berth" run --pods rollout.frames

# Faults name the line and the field; neighbours stay.
sed 's/replicas: 3/replicas: 2000000000/' deployment.yaml >huge.yaml
expect 1 'huge.yaml:8:13: spec.replicas: asks for 2000000000 pods, and 1000000 are made' \
  "${run[@]}" --pods huge.yaml
sed 's/^      app: nginx$/      app: other/' deployment.yaml >other.yaml
expect 1 '`selector` does not match template `labels`' "${run[@]}" --pods other.yaml

# Admission: each rule refuses in the API server's words.
pod() {
  echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"'"$1"'"},"spec":{'"${2:-}"'"containers":[{"name":"c","resources":{'"${3:-}"'}}]}}'
}
# refused TEXT POD...: a pod that admission refuses, and that is scheduled without it.
refused() {
  local text=$1
  shift
  pod "$@" >pod.json
  expect 1 "pods \"$1\" is forbidden: $text" "$berth" run --cluster cluster.json policies.yaml \
    --pods pod.json --results results.jsonl
  grep -q '"outcome":"rejected"' results.jsonl || fail "$(cat results.jsonl)"
  expect 0 'scheduled               1' "$berth" run --cluster cluster.json policies.yaml \
    --pods pod.json --admission=off
}
cat >policies.yaml <<'END'
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000}
---
{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata-fc}, handler: kata-fc, overhead: {podFixed: {memory: 120Mi, cpu: 250m}}}
---
{apiVersion: v1, kind: LimitRange, metadata: {name: range}, spec: {limits: [{type: Container, max: {memory: 1Gi}}]}}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: team}, spec: {hard: {requests.cpu: 2}}}
END
few='"requests":{"cpu":"1","memory":"1Gi"},"limits":{"memory":"1Gi"}'
refused 'no PriorityClass with name gold was found' a '"priorityClassName":"gold",' "$few"
refused 'the integer value of priority (5) must not be provided in pod spec' a \
  '"priorityClassName":"high","priority":5,' "$few"
refused 'pod rejected: RuntimeClass "none" not found' a '"runtimeClassName":"none",' "$few"
refused "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead" a \
  '"runtimeClassName":"kata-fc","overhead":{"cpu":"1"},' "$few"
refused 'maximum memory usage per Container is 1Gi, but limit is 2Gi' a '' \
  '"requests":{"cpu":"1","memory":"1Gi"},"limits":{"memory":"2Gi"}'
refused 'exceeded quota: team, requested: requests.cpu=3, used: requests.cpu=0, limited: requests.cpu=2' a \
  '' '"requests":{"cpu":"3","memory":"1Gi"},"limits":{"memory":"1Gi"}'
refused 'failed quota: team: must specify requests.cpu for: c' a '' '"limits":{"memory":"1Gi"}'

# The overhead and the class's priority count.
{ pod first '"runtimeClassName":"kata-fc",' "$few"; } >kata.json
expect 0 'cpu    ' "$berth" run --cluster cluster.json policies.yaml --pods kata.json --summary summary.json
grep -q '1.2 cores of\|1.3 cores of\|1.25 cores' out || fail "no overhead: $(grep cpu out)"
node small | sed 's/"cpu":"8"/"cpu":"1"/' >small.json
{ pod low '' '"requests":{"cpu":"1"}'; pod urgent '"priorityClassName":"high",' '"requests":{"cpu":"1"}'; } >two.json
head -1 policies.yaml >classes.yaml
expect 0 'scheduled' "$berth" run --cluster small.json classes.yaml --pods two.json --results results.jsonl
head -1 results.jsonl | grep -q '"name":"low"' || fail "$(cat results.jsonl)"
grep '"name":"urgent"' results.jsonl | grep -q '"outcome":"scheduled"' || fail "$(cat results.jsonl)"

# A plugin of admission that is off by default.
{ node taken '"taints":[{"key":"x.y/gpu","effect":"NoSchedule"}]' | sed 's/"cpu":"8"/"cpu":"8","x.y\/gpu":"1"/'; } >gpus.json
echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"gpu"},"spec":{"containers":[{"name":"c","resources":{"limits":{"x.y/gpu":"1"}}}]}}' >gpu.json
gpu=("$berth" run --cluster gpus.json --pods gpu.json --bindings bindings.jsonl)
expect 0 'scheduled               0' "${gpu[@]}"
expect 0 'scheduled               1' "${gpu[@]}" --enable-admission-plugins ExtendedResourceToleration
expect 0 'feasible' "$berth" explain --cluster gpus.json --pod gpu.json --enable-admission-plugins ExtendedResourceToleration
expect 1 'has no effect with --admission=off' \
  "${gpu[@]}" --enable-admission-plugins ExtendedResourceToleration --admission=off

# Annotations of namespaces count for plugins that are named in a list.
echo '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"team","annotations":{"scheduler.alpha.kubernetes.io/node-selector":"zone=none"}}}' >team.json
sed 's/"name":"gpu"/"name":"gpu","namespace":"team"/' gpu.json >of-team.json
of_team=("$berth" run --cluster gpus.json team.json --pods of-team.json --bindings bindings.jsonl)
expect 0 'scheduled               1' "${of_team[@]}" --enable-admission-plugins ExtendedResourceToleration
expect 0 'scheduled               0' "${of_team[@]}" --enable-admission-plugins ExtendedResourceToleration,PodNodeSelector
expect 2 'PodTolerationRestriction' "${of_team[@]}" --enable-admission-plugins PodToleration
# The cluster's rules hold for other namespaces.
cat >admission.yaml <<'END'
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- {name: PodNodeSelector, path: selectors.yaml}
- {name: EventRateLimit, path: rates.yaml}
- name: PodTolerationRestriction
  configuration: {apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1, kind: Configuration}
END
echo 'podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: zone=none}' >selectors.yaml
enabled=(--enable-admission-plugins ExtendedResourceToleration,PodNodeSelector)
expect 0 'scheduled               1' "${gpu[@]}" "${enabled[@]}"
expect 0 'scheduled               0' "${gpu[@]}" "${enabled[@]}" --admission-control-config-file admission.yaml
grep -qF 'without effect here: plugins[1] (EventRateLimit), PodTolerationRestriction, which is not enabled' err ||
  fail "not named: $(cat err)"
expect 0 '"nodeSelector":{"zone":"none"}' "$berth" convert gpu.json --to jsonl "${enabled[@]}" \
  --admission-control-config-file admission.yaml
expect 0 'unschedulable' "$berth" explain --cluster gpus.json --pod gpu.json "${enabled[@]}" \
  --admission-control-config-file admission.yaml
expect 1 'has no effect without --enable-admission-plugins' \
  "${gpu[@]}" --admission-control-config-file admission.yaml
echo 'podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: zone}' >selectors.yaml
expect 1 'selectors.yaml:1:59: podNodeSelectorPluginConfig.clusterDefaultNodeSelector: invalid selector: [zone]' \
  "${gpu[@]}" "${enabled[@]}" --admission-control-config-file admission.yaml

# Objects that an API server refuses: all faults at once, each with its line; the others stay.
cat >refused.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: two-faults}
spec:
  containers: [{name: a}, {name: a}]
  nodename: n0
  tolerations:
  - {key: a, operator: Foo}
---
apiVersion: v2
kind: Pod
metadata: {name: version}
---
apiVersion: v1
kind: Pod
metadata: {name: good}
spec: {containers: [{name: a}]}
END
expect 1 'refused.yaml:5:34: spec.containers[1].name: Duplicate value: "a"' \
  "${run[@]}" --pods refused.yaml
bound 1 .
says() { grep -qF -- "$1" err || fail "expected $1: $(cat err)"; }
says 'refused.yaml:8:24: spec.tolerations[0].operator: Unsupported value: "Foo": supported values: "Equal", "Exists"'
says 'refused.yaml:10:13: apiVersion: no matches for kind "Pod" in version "v2"'
says 'refused.yaml:6:3: spec.nodename: not a field of the Kubernetes API; did you mean nodeName?'
expect 1 'spec.tolerations[0].operator: Unsupported' \
  "$berth" explain --cluster cluster.json --pod refused.yaml
says 'refused.yaml:5:34: spec.containers[1].name'
expect 0 'scheduled               3' "${run[@]}" --pods refused.yaml --admission=off
{
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"n9"},"spec":{"taints":[{"key":"a"}]}}}'
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}],"containers":[]}}}'
  echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"made","uid":"u"},"spec":{}}}'
  echo '{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"q"},"spec":{"containers":[{"name":"c"}],"restartPolicy":"Sometimes"}}}'
} >refused.jsonl
expect 1 'refused.jsonl:1:102: object.spec.taints[0].effect: Required value' "${run[@]}" --pods refused.jsonl
says 'object.spec.containers: duplicate field "spec.containers"; the first is in line'
says 'refused.jsonl:4:137: object.spec.restartPolicy: Unsupported value: "Sometimes"'
bound 1 '"made"'
node n9 '"taints":[{"key":"a","effect":"No"}]' >wrong_node.json
expect 1 'wrong_node.json:1:' "$berth" run --cluster cluster.json wrong_node.json --pods one.json
says 'spec.taints[0].effect: Unsupported value: "No"'
expect 0 'scheduled               1' \
  "$berth" run --cluster cluster.json wrong_node.json --pods one.json --admission=off

echo "$checked checks"
