#!/bin/bash
# Runs definitions of kube-scheduler's benchmark that have volumes, and checks that every pod that
# upstream schedules is bound.
#   suite.sh BERTH_BENCH FOLDER             definitions of this file
#   suite.sh BERTH_BENCH FOLDER DEFINITION  that suite; exit status 77 if it is absent
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

bench=$1 folder=$2
once=(--warm-up 0 --repetitions 1)
if [[ $# == 3 && ! -f $3 ]]; then
  echo "skipped: these workloads are read from $3, which is absent" >&2
  exit 77
fi
suite=$([[ $# == 3 ]] && realpath "$3" || true)
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# The values of a member, one for each run; the command has a member of the same name.
of_runs() { sed -nE "s/^   \"$2\": ([0-9]+),?\$/\1/p" "$1" | xargs; }

# all_bound FILE RUNS: so many runs, and each bound all of its pods.
all_bound() {
  local total bound
  total=$(of_runs "$1" pods_total) bound=$(of_runs "$1" pods_bound)
  [[ $(wc -w <<<"$total") == "$2" ]] || fail "$1: not $2 runs: $total"
  [[ $total == "$bound" ]] || fail "$1: of $total pods these are bound: $bound"
  ((checked += 1))
}

if [[ -n $suite ]]; then
  "$bench" run "$suite" --workload '*/5Nodes*' "${once[@]}" -o json >small.json
  all_bound small.json 10
  "$bench" run "$suite" --workload '*/500Nodes' "${once[@]}" -o json >medium.json
  all_bound medium.json 4
  echo "$checked suites are bound"
  exit 0
fi

cat >disk.yaml <<'END'
kind: PersistentVolume
spec: {accessModes: [ReadWriteOnce], capacity: {storage: 2Gi}, csi: {driver: disk.example}}
END
cat >old-disk.yaml <<'END'
kind: PersistentVolume
spec: {accessModes: [ReadWriteOnce], capacity: {storage: 2Gi}, awsElasticBlockStore: {volumeID: none}}
END
cat >claim.yaml <<'END'
kind: PersistentVolumeClaim
metadata: {annotations: {pv.kubernetes.io/bind-completed: "true"}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}
END
cat >node.yaml <<'END'
kind: Node
metadata: {generateName: host-}
status: {capacity: {cpu: 4, memory: 8Gi, pods: 20}}
END
cat >small.yaml <<'END'
kind: Pod
metadata: {generateName: low-}
spec:
  terminationGracePeriodSeconds: 0
  containers: [{name: main, resources: {requests: {cpu: 1}}}]
END
cat >large.yaml <<'END'
kind: Pod
metadata: {generateName: high-}
spec: {priority: 5, containers: [{name: main, resources: {requests: {cpu: 3}}}]}
END
cat >class.yaml <<'END'
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: late}
provisioner: disk.example
volumeBindingMode: WaitForFirstConsumer
END
cat >any-claim.yaml <<'END'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: shared}
spec: {storageClassName: late, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
END
cat >sharing.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {generateName: sharing-}
spec:
  volumes: [{name: data, persistentVolumeClaim: {claimName: shared}}]
  containers: [{name: main, resources: {requests: {cpu: 100m}}}]
END
cat >definition.yaml <<'END'
- name: Limits
  workloadTemplate:
  - opcode: createNodes
    count: 3
    nodeTemplatePath: node.yaml
    nodeAllocatableStrategy:
      csiNodeAllocatable: {disk.example: {count: 2}, ebs.csi.aws.com: {count: 2}}
      migratedPlugins: [kubernetes.io/aws-ebs]
  - opcode: createPods
    countParam: $pods
    podTemplatePath: small.yaml
    persistentVolumeTemplatePath: disk.yaml
    persistentVolumeClaimTemplatePath: claim.yaml
    collectMetrics: true
  - opcode: createPods
    count: 1
    podTemplatePath: small.yaml
    persistentVolumeTemplatePath: old-disk.yaml
    persistentVolumeClaimTemplatePath: claim.yaml
    collectMetrics: true
  workloads:
  - {name: fits, params: {pods: 6}}
  - {name: over, params: {pods: 7}}
- name: Preemption
  workloadTemplate:
  - {opcode: createNodes, count: 3, nodeTemplatePath: node.yaml}
  - {opcode: createPods, count: 12, podTemplatePath: small.yaml}
  - opcode: createPods
    count: 3
    podTemplatePath: large.yaml
    persistentVolumeTemplatePath: disk.yaml
    persistentVolumeClaimTemplatePath: claim.yaml
    collectMetrics: true
  workloads:
  - name: claims
- name: Any
  workloadTemplate:
  - {opcode: createNodes, count: 3, nodeTemplatePath: node.yaml}
  - {opcode: createAny, templatePath: class.yaml}
  - {opcode: createAny, namespace: team, templatePath: any-claim.yaml}
  - {opcode: createPods, count: 4, namespace: team, podTemplatePath: sharing.yaml, collectMetrics: true}
  workloads:
  - name: shared
END
expect 0 'Limits/over' "$bench" list definition.yaml
for workload in Limits/fits Preemption/claims Any/shared; do
  "$bench" run definition.yaml --workload "$workload" "${once[@]}" -o json >one.json
  all_bound one.json 1
done
"$bench" run definition.yaml --workload Limits/over "${once[@]}" -o json >over.json
[[ $(of_runs over.json pods_total) == 8 && $(of_runs over.json pods_bound) == 7 ]] ||
  fail "the limit of volumes does not hold: $(of_runs over.json pods_bound) of 8"
"$bench" run definition.yaml --workload Limits/over --set volumes=false "${once[@]}" -o json >without.json
all_bound without.json 1

echo "$checked workloads behaved"
