#!/bin/bash
# A program that fails before it writes leaves no output of a former run, which would pass for its
# own. Wrong usage removes nothing, and no input is removed.
#   stale_outputs.sh BERTH BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 bench=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/no_plugins"
cd "$folder"

cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {pods: 9}}
END
cat >pods.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec: {containers: [{name: c}]}
END
cat >bad.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
parallelism: -1
END

outputs=(bindings.jsonl summary.json results.jsonl events.jsonl)
former() { for file in "${outputs[@]}"; do echo former >"$file"; done; }
gone() {
  for file in "${outputs[@]}"; do
    [[ ! -e $file ]] || fail "$1: left $file of the run before: $(head -c 99 "$file")"
  done
}
stay() {
  for file in "${outputs[@]}"; do grep -q former "$file" || fail "$1: $file is not there"; done
}
run=("$berth" run --pods pods.yaml --bindings bindings.jsonl --summary summary.json
  --results results.jsonl --events events.jsonl)

former
expect 2 'run: --threads: ' "${run[@]}" --cluster cluster.yaml --threads x
expect 1 'bindings.jsonl: would be written over, and it is an input' \
  "${run[@]}" --cluster bindings.jsonl
stay 'wrong usage'
expect 1 'bad.yaml:3:' "${run[@]}" --cluster cluster.yaml --config bad.yaml
gone 'a fault of the configuration'
former
expect 1 'absent.yaml: ' "${run[@]}" --cluster absent.yaml
gone 'a cluster that is not there'
former
expect 1 'no plugins (*.so) that can be used' "${run[@]}" --cluster cluster.yaml --plugins no_plugins \
  --no-default-plugins
gone 'plugins that are not there'
former
expect 0 '' "${run[@]}" --cluster cluster.yaml
for file in "${outputs[@]}"; do
  [[ -s $file ]] || fail "no $file"
  ! grep -q former "$file" || fail "$file is the former one"
done

# The file of the admission plugins is an input, too.
cat >admission.yaml <<'END'
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
END
expect 1 'admission.yaml: would be written over, and it is an input' "$berth" run \
  --cluster cluster.yaml --pods pods.yaml --enable-admission-plugins PodNodeSelector \
  --admission-control-config-file admission.yaml --results admission.yaml
[[ -s admission.yaml ]] || fail 'an input was removed'

outputs=(converted.yaml)
former
expect 1 'absent.yaml: ' "$berth" convert absent.yaml --output converted.yaml
gone 'berth convert'

outputs=(report.html)
former
expect 1 'bad.yaml:3:' "$bench" run mixed --config bad.yaml --warm-up 0 --repetitions 1 \
  --report report.html
gone 'berth-bench run'
echo "$checked checks of outputs of former runs"
