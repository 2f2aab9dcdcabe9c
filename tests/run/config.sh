#!/bin/bash
# berth config: validate, convert and defaults, and runs with configurations of old versions:
#   config.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
group=kubescheduler.config.k8s.io

# typed VERSION: the text on standard input as a configuration.
typed() {
  printf 'apiVersion: %s/%s\nkind: KubeSchedulerConfiguration\n' "$group" "$1"
  cat
}

# The defaults of each version can be read again, and their conversion is that of an empty file.
for version in v1 v1beta3 v1beta2; do
  expect 0 "apiVersion: $group/$version" "$berth" config defaults --api-version $version
  cp out defaults.yaml
  grep -q '^#   filter  *NodeUnschedulable, ' out
  grep -qF 'minCandidateNodesAbsolute: 100' out
  expect 0 "defaults.yaml: is valid, of version $version" "$berth" config validate defaults.yaml
  typed $version </dev/null >empty.yaml
  expect 0 "kind: KubeSchedulerConfiguration" "$berth" config convert empty.yaml
  sed -n "/^percentage/,\$p" out | sed "/^  pluginConfig/,\$d" >converted
  expect 0 "apiVersion: $group/v1" "$berth" config convert defaults.yaml
  sed -n '/^percentage/,/^  pluginConfig/p' out | sed '$d' | cmp - converted
  cp out again.yaml
  expect 0 '' "$berth" config convert again.yaml
  cmp out again.yaml
done
expect 0 '#   score       TaintToleration x3, NodeAffinity x2,' "$berth" config defaults
expect 0 'NodeAffinity x1, PodTopologySpread x2, TaintToleration x1' \
  "$berth" config defaults --api-version v1beta2
expect 2 'expected v1 or v1beta3 or v1beta2, found "v1beta1"' \
  "$berth" config defaults --api-version v1beta1

# All faults of all documents of all files, with those of the arguments.
typed v1beta3 >bad.yaml <<'END'
profiles:
- percentageOfNodesToScore: 5
  plugins: {score: {enabled: [{name: Frobnicate}, {name: ImageLocality}]}}
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: Best}}
  - name: InterPodAffinity
    args: {hardPodAffinityWeight: 101}
parallelism: 0
---
kind: Pod
apiVersion: v1
---
END
typed v1 </dev/null >>bad.yaml
echo '{"apiVersion":"v1","kind":"Policy","priorities":[{"name":"MostRequestedPriority","weight":2}]}' \
  >policy.json
typed v1beta1 </dev/null >older.yaml
expect 1 'berth: 9 faults found' "$berth" config validate bad.yaml policy.json nowhere.yaml older.yaml
for fault in \
  'bad.yaml:4:3: strict decoding error: unknown field "profiles[0].percentageOfNodesToScore"' \
  'bad.yaml:5:31: profiles[0].plugins.score.enabled[0]: there is no plugin "Frobnicate"' \
  'bad.yaml:8:36: profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: "Best"' \
  'bad.yaml:10:35: profiles[0].pluginConfig[1].args.hardPodAffinityWeight: Invalid value: 101' \
  'bad.yaml:11:14: parallelism: Invalid value: 0' \
  'bad.yaml:13: is no KubeSchedulerConfiguration: left out' \
  'policy.json:1:27: kind: a Policy is not read' \
  'priority "MostRequestedPriority": enable the plugin NodeResourcesFit at score with' \
  'nowhere.yaml' \
  "older.yaml:1:13: apiVersion: \"$group/v1beta1\" is not read: the last kube-scheduler that"; do
  grep -qF -- "$fault" err || fail "no fault \"$fault\": $(cat err)"
done
grep -qF 'bad.yaml:16: is valid, of version v1' out || fail "the valid document: $(cat out)"

# What is not a configuration at all.
printf '' >nothing.yaml
expect 1 'nothing.yaml: holds no document' "$berth" config validate nothing.yaml
expect 1 'nothing.yaml: holds no document' "$berth" config convert nothing.yaml
printf 'kind: [\n' >malformed.yaml
expect 1 'malformed.yaml:' "$berth" config validate malformed.yaml
printf '{"apiVersion":"%s/v1","kind":"KubeSchedulerConfiguration","parallelism":1,"parallelism":2}' \
  $group >twice.json
expect 1 'duplicate field "parallelism"' "$berth" config validate twice.json
typed v3 </dev/null >unknown.yaml
expect 1 'v1beta2 and v1beta3 are read, too' "$berth" config validate unknown.yaml
{ typed v1 </dev/null && echo 'profiles:' && printf -- '- {schedulerName: a}\n%.0s' $(seq 20000); } \
  >huge.yaml
expect 1 'and 19,899 more faults' "$berth" config validate huge.yaml
expect 2 'berth config: there is no command "chek"' "$berth" config chek

# A conversion prints all configurations or none.
expect 1 'parallelism: Invalid value' "$berth" config convert bad.yaml
[[ ! -s out ]] || fail "a part was printed: $(cat out)"
# Objects of other kinds are left out beside a configuration, as by a run, and faults without one.
{ typed v1 </dev/null && printf -- '---\napiVersion: v1\nkind: ConfigMap\n'; } >beside.yaml
expect 0 'beside.yaml:4: is no KubeSchedulerConfiguration: left out' \
  "$berth" config validate beside.yaml
grep -qF 'beside.yaml:1: is valid, of version v1' out || fail "not valid: $(cat out)"
expect 0 'beside.yaml:4: is no KubeSchedulerConfiguration: left out' "$berth" config convert beside.yaml
(($(grep -c '^kind:' out) == 1)) || fail "not one document: $(cat out)"
tail -n 2 beside.yaml >alone.yaml
expect 1 'not "ConfigMap"' "$berth" config validate alone.yaml
{ typed v1beta2 </dev/null && echo --- && echo 'percentageOfNodesToScore: 9' | typed v1beta3; } >two.yaml
expect 0 'two.yaml:1: profiles[0].plugins.filter: plugin EBSLimits, which v1 has in NodeVolumeLimits' \
  "$berth" config convert two.yaml
cp out both.yaml
expect 0 'both.yaml:1: is valid, of version v1' "$berth" config validate both.yaml
(($(grep -c "^apiVersion: $group/v1\$" both.yaml) == 2)) || fail "not two documents: $(cat both.yaml)"
expect 0 "apiVersion: $group/v1" "$berth" config convert - <two.yaml

# Pods are scheduled as the version says. Of the weights, v1beta2 gives a node without the preferred
# label and with the image as much as one with the label; v1beta3 prefers the label.
cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: labelled, labels: {disk: ssd}}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 9}}
---
apiVersion: v1
kind: Node
metadata: {name: untainted}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 9}}
END
cat >pod.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  affinity:
    nodeAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 1
        preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}
  containers: [{name: c, resources: {requests: {cpu: 1}}}]
END
for version in v1beta2:1 v1beta3:2 v1:2; do
  typed "${version%:*}" </dev/null >scheduler.yaml
  "$berth" config convert scheduler.yaml >converted.yaml 2>err
  for config in scheduler.yaml converted.yaml; do
    expect 0 '"node":"labelled"' "$berth" run --cluster cluster.yaml --pods pod.yaml \
      --config $config --results - --scores=9
    grep -qF '"NodeAffinity":{"raw":1,"normalised":100,"weight":'"${version#*:}"'}' out ||
      fail "$version, $config: $(cat out)"
  done
done
# The old versions have the limits of disks, which v1 leaves to NodeVolumeLimits.
sed 's/pods: 9/pods: 9, attachable-volumes-gce-pd: 1/' cluster.yaml >few-disks.yaml
for i in 1 2 3; do
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: disk-%d}\n' "$i"
  printf 'spec: {containers: [{name: c}], volumes: [{name: v, gcePersistentDisk: {pdName: d%d}}]}\n' "$i"
done >disks.yaml
for version in v1beta2:2 v1beta3:2 v1:3; do
  typed "${version%:*}" </dev/null >scheduler.yaml
  expect 0 "scheduled               ${version#*:}" "$berth" run --cluster few-disks.yaml \
    --pods disks.yaml --config scheduler.yaml
  [[ $version == v1:3 ]] || grep -qF 'node(s) exceed max volume count' out || fail "no reason: $(cat out)"
done
typed v1beta3 >scheduler.yaml <<<'profiles: [{plugins: {filter: {disabled: [{name: GCEPDLimits}], enabled: [{name: CinderLimits}]}, multiPoint: {disabled: [{name: GCEPDLimits}]}}}]'
expect 0 'scheduled               3' "$berth" run --cluster few-disks.yaml --pods disks.yaml --config scheduler.yaml
# Each profile searches its own percentage of the nodes, at least 100, or else the common one.
for i in $(seq 200); do
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: n%d}\n' "$i"
  echo 'status: {allocatable: {cpu: 4, memory: 8Gi, pods: 9}}'
done >nodes.yaml
for name in half all some; do
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\n' $name
  echo "spec: {schedulerName: $name, containers: [{name: c}]}"
done >pods.yaml
typed v1 >profiles.yaml <<'END'
percentageOfNodesToScore: 75
profiles:
- {schedulerName: half, percentageOfNodesToScore: 5}
- {schedulerName: all, percentageOfNodesToScore: 100}
- {schedulerName: some}
END
"$berth" config convert profiles.yaml >converted.yaml
for config in profiles.yaml converted.yaml; do
  expect 0 '"name":"some"' "$berth" run --cluster nodes.yaml --pods pods.yaml --config $config \
    --results - --scores=999
  for scored in half:100 all:200 some:150; do
    count=$(grep "\"name\":\"${scored%:*}\"" out | grep -o '"total":' | wc -l)
    ((count == ${scored#*:})) || fail "$config: $scored, not $count nodes were scored"
  done
done

expect 1 'a Policy is not read' "$berth" run --cluster cluster.yaml --pods pod.yaml --config policy.json
# A file may hold other objects beside the configuration.
{ echo 'kind: ServiceAccount' && echo --- && typed v1 </dev/null; } >beside.yaml
expect 0 'document 1 (ServiceAccount)' \
  "$berth" run --cluster cluster.yaml --pods pod.yaml --config beside.yaml
# Or be in a ConfigMap, as in the manifests of a cluster.
{ printf 'kind: ServiceAccount\n---\nkind: ConfigMap\nmetadata: {name: s}\ndata:\n  s.yaml: |\n'
  typed v1 <<<'profiles: [{plugins: {score: {disabled: [{name: NodeResourceFit}]}}}]' | sed 's/^/    /'
} >map.yaml
typo='map.yaml[data.s.yaml]:3:42: profiles[0].plugins.score.disabled[0]: disables nothing: no plugin is called "NodeResourceFit"; did you mean NodeResourcesFit?'
expect 0 "$typo" "$berth" run --cluster cluster.yaml --pods pod.yaml --config map.yaml
expect 0 "$typo" "$berth" config validate map.yaml
expect 0 'map.yaml: is valid, of version v1' "$berth" config validate map.yaml
expect 0 'kind: KubeSchedulerConfiguration' "$berth" config convert map.yaml
sed 's/profiles/profile/' map.yaml >wrong.yaml
expect 1 'wrong.yaml[data.s.yaml]:3:1: strict decoding error: unknown field "profile"' \
  "$berth" config validate wrong.yaml
expect 1 'here they are several, at lines 1, 4' \
  "$berth" run --cluster cluster.yaml --pods pod.yaml --config two.yaml
echo "$checked configurations"
