#!/bin/bash
# What berth-bench run does with the file of its report.
#   bench_report.sh BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

bench=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
small=(run mixed --set nodes=100 --set pods=500)
once=(--warm-up 0 --repetitions 1)

expect 1 'cannot be opened for writing' "$bench" run --report /nonexistent/report.html

# A former report stays until another is complete, and goes with a run that fails.
cat >scene.yaml <<'END'
- name: Scene
  workloadTemplate:
  - {opcode: createNodes, countParam: $nodes}
  - {opcode: createPods, countParam: $pods}
  workloads:
  - name: quiet
    params: {nodes: 5, pods: 10}
END
echo 'an old report' >kept.html
expect 1 'Scene/quiet: nothing of this workload is measured' \
  "$bench" run scene.yaml "${once[@]}" --report kept.html
[[ ! -e kept.html ]] || fail "a run that failed left the report of a former one"
{ "$bench" "${small[@]}" "${once[@]}" -o json --report early.html || true; } | head -c 1 >one
[[ -s early.html ]] || fail "the report was lost with the reader of standard output"

# A workload is not overwritten by its report.
cp scene.yaml kept.yaml
expect 1 'scene.yaml: would be written over, and it is an input' \
  "$bench" run scene.yaml "${once[@]}" --report scene.yaml
cmp scene.yaml kept.yaml
