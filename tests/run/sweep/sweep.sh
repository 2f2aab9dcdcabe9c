#!/bin/bash
# Tests berth-bench sweep and merge as a user runs them, and the ways to share a sweep:
#   sweep.sh BERTH BERTH_BENCH DEPLOY FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 bench=$2 deploy=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
load=(mixed --set nodes=40 --set pods=1500)
grid=(--vary weight:NodeResourcesFit=1,40 --vary percentage=10,100 --vary seed=0..2)

# What does not depend on the machine of the rows of a table, without what stands around them.
steady() {
  sed -n '/^  "rows": \[/,/^  \]/p' "$1" | grep -vE '"decisions-per-second"'
}
hashes() { sed -nE 's/.*"decision_hash": "([0-9a-f]+)".*/\1/p' "$1"; }

# The number of combinations is said before; the table has a row for each that is not drawn.
expect 0 '12 combinations of settings' "$bench" sweep "${load[@]}" "${grid[@]}"
[[ $(grep -c '^weight:NodeResourcesFit=' out) == 4 ]] || fail "not four rows: $(cat out)"
grep -qE '^weight:NodeResourcesFit=40, percentage=100 +\*? ' out || fail "no such row: $(cat out)"
grep -qE '^settings +front +cpu used +memory used +cpu stranded ' out || fail "no heads: $(cat out)"
grep -qE '^weight.*  \*  ' out || fail "no front: $(cat out)"
grep -q '^12 of 12 combinations are measured$' out || fail "not measured: $(cat out)"
expect 0 'weight:NodeResourcesFit=1, percentage=10, seed=2' "$bench" sweep "${load[@]}" "${grid[@]}" -o wide
[[ $(grep -c '^weight' out) == 12 ]] || fail "not a row for each combination: $(cat out)"

# Equal settings have equal numbers, and the parts together those of the whole, whatever their order.
"$bench" sweep "${load[@]}" "${grid[@]}" -o json >whole.json 2>err
"$bench" sweep "${load[@]}" "${grid[@]}" -o json >again.json 2>err
[[ -n $(steady whole.json) && $(steady whole.json) == "$(steady again.json)" ]] || fail "other numbers"
for part in 1 2 3; do
  expect 0 "part $part/3 has 4" "$bench" sweep "${load[@]}" "${grid[@]}" --part $part/3 -o json
  cp out part-$part.json
done
expect 0 '12 of 12 combinations' "$bench" merge part-2.json part-1.json part-3.json
"$bench" merge part-3.json part-1.json part-2.json -o json >merged.json
[[ $(steady merged.json) == "$(steady whole.json)" ]] || fail "the parts are not the whole"
[[ $(hashes merged.json) == "$(hashes whole.json)" ]] || fail "results are in another order"
expect 1 'no file is part 2/3' "$bench" merge part-1.json part-3.json
expect 0 '8 of 12 combinations' "$bench" merge part-1.json part-3.json --allow-missing
expect 1 'part-1.json: overlaps with part-1.json' "$bench" merge part-1.json part-1.json
"$bench" sweep mixed --set nodes=41 --set pods=1500 "${grid[@]}" --part 2/3 -o json >other.json 2>err
expect 1 'other.json: is a sweep of another load than part-1.json' "$bench" merge part-1.json other.json part-3.json
"$bench" sweep "${load[@]}" --vary percentage=10,100 -o json >other.json 2>err
expect 1 'of other axes or values' "$bench" merge part-1.json other.json
"$bench" run "${load[@]}" --warm-up 0 --repetitions 1 -o json >run.json 2>err
expect 1 'run.json: is no sweep' "$bench" merge run.json

# A setting is what a configuration says: a weight, and a plugin that is off.
cat >weights.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    multiPoint:
      enabled: [{name: NodeResourcesFit, weight: 40}]
YAML
cat >off.yaml <<'YAML'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    multiPoint:
      disabled: [{name: NodeResourcesBalancedAllocation}, {name: PodTopologySpread}]
    score:
      disabled: [{name: NodeResourcesFit}]
YAML
once=(--warm-up 0 --repetitions 1 -o json)
"$bench" sweep "${load[@]}" --vary weight:NodeResourcesFit=1,40 -o json >weights.json 2>err
"$bench" run "${load[@]}" --config default,weights.yaml "${once[@]}" >configured.json 2>err
[[ $(hashes weights.json) == "$(hashes configured.json)" ]] || fail "a weight is not that of a configuration"
[[ $(hashes weights.json | sort -u | wc -l) == 2 ]] || fail "a weight changes nothing"
"$bench" sweep "${load[@]}" --vary plugin:NodeResourcesBalancedAllocation=off \
  --vary plugin:PodTopologySpread=off --vary weight:NodeResourcesFit=0 -o json >off.json 2>err
"$bench" run "${load[@]}" --config off.yaml "${once[@]}" >configured.json 2>err
[[ $(hashes off.json) == "$(hashes configured.json)" ]] || fail "off is not what a configuration does"
"$bench" sweep "${load[@]}" --vary kube-version=1.34,1.36 --vary config=default,off.yaml -o json >ways.json 2>err
for version in 1.34 1.36; do
  "$bench" run "${load[@]}" --config default,off.yaml --kube-version $version "${once[@]}" 2>err
done >configured.json
[[ $(hashes ways.json) == "$(hashes configured.json)" ]] || fail "versions are not those of the option"

# A cluster and pods of files; parts know their load by what the files hold, and not by their names.
cat >nodes.yaml <<'YAML'
apiVersion: v1
kind: Node
metadata: {name: a}
status: {allocatable: {cpu: "20", memory: 64Gi, pods: "110"}}
YAML
cat >pod.yaml <<'YAML'
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "5"}}}]}
YAML
cat nodes.yaml pod.yaml >load.yaml
expect 0 '    25 %  ' "$bench" sweep load.yaml --vary percentage=10,100
"$bench" sweep load.yaml --vary percentage=10,100 --part 1/2 -o json >part-1.json 2>err
mkdir elsewhere
cp load.yaml elsewhere
"$bench" sweep elsewhere/load.yaml --vary percentage=10,100 --part 2/2 -o json >part-2.json 2>err
expect 0 '2 of 2 combinations' "$bench" merge part-1.json part-2.json
sed -i 's/"5"/"6"/' elsewhere/load.yaml
"$bench" sweep elsewhere/load.yaml --vary percentage=10,100 --part 2/2 -o json >part-2.json 2>err
expect 1 'of another load than part-1.json: files is' "$bench" merge part-1.json part-2.json

# What is wrong is said before anything runs.
expect 2 '--vary: name what varies' "$bench" sweep "${load[@]}"
expect 2 'did you mean "percentage"?' "$bench" sweep "${load[@]}" --vary percent=1
expect 2 'did you mean NodeResourcesFit?' "$bench" sweep "${load[@]}" --vary weight:NodeResourceFit=1
expect 2 'did you mean nodes?' "$bench" sweep mixed --vary set:node=10,20
expect 2 'unrecognized feature gate: "Strange"' "$bench" sweep "${load[@]}" --vary gate:Strange=true
expect 1 'weight:NodeName: this plugin does not score' "$bench" sweep "${load[@]}" --vary weight:NodeName=0,1
expect 1 'NodeStrange' "$bench" sweep "${load[@]}" --vary plugin:NodeStrange=on
expect 2 '1,100 combinations (11 of percentage, 100 of seed) are more than 1,000' \
  "$bench" sweep "${load[@]}" --vary percentage=0..100..10 --vary seed=1..100
expect 2 '--part 13/13: 12 combinations have no such part' "$bench" sweep "${load[@]}" "${grid[@]}" --part 13/13
expect 2 '--seed: is varied, too' "$bench" sweep "${load[@]}" "${grid[@]}" --seed 3
expect 2 '--set nodes: is varied, too' "$bench" sweep "${load[@]}" --vary set:nodes=1,2
expect 2 'did you mean "refused"?' "$bench" sweep "${load[@]}" "${grid[@]}" --front refusd
expect 0 'in one of refused, utilisation:nvidia.com/gpu' "$bench" sweep "${load[@]}" \
  --vary percentage=10 --front refused,utilisation:nvidia.com/gpu

# Ctrl-C leaves what is done, and says that it is not all.
background "$bench" sweep mixed --set nodes=200 --set pods=20000 --vary seed=0..99 -o json >cut.json 2>err
sleep 4
kill -INT "$pid"
status=0
wait "$pid" || status=$?
((status == 130)) || fail "interrupted, it ended with $status: $(cat err)"
grep -q '"interrupted": true' cut.json || fail "it does not say that it was interrupted"
expect 1 'of 100 combinations are missing' "$bench" merge cut.json
expect 0 'partial: it was interrupted, or parts are missing; the table has what was measured' "$bench" merge cut.json --allow-missing

# The examples: on the cores of a machine, as a Slurm array and as an indexed Job.
JOBS=2 BERTH_BENCH=$bench expect 0 '12 of 12 combinations' \
  bash "$deploy/sweep/parallel.sh" 4 "${load[@]}" "${grid[@]}"
[[ $(steady <("$bench" merge part-{1..4}.json -o json)) == "$(steady whole.json)" ]] || fail "other numbers in parallel"
# smaller FILE: the example with a smaller load and fewer settings, and its volume in this folder.
smaller() {
  sed "s/nodes=1000/nodes=40/; s/pods=20000/pods=300/; s/seed=0\.\.9/seed=0..1/; s|/results/|$PWD/job/|g" "$1"
}
# merges FOLDER: the parts in the folder together are the whole sweep of the smaller example.
merges() {
  expect 0 '24 of 24 combinations' "$bench" merge "$1"/part-*.json
  "$bench" merge "$1"/part-*.json -o json >merged.json
  [[ $(steady merged.json) == "$(steady whole.json)" ]] || fail "other numbers in $1"
}
mkdir bin slurm job
ln -s "$bench" bin/berth-bench
export PATH="$PWD/bin:$PATH"
"$bench" sweep mixed --set nodes=40 --set pods=300 --vary weight:NodeResourcesFit=1,2,4,8 \
  --vary percentage=10,50,100 --vary seed=0..1 -o json >whole.json 2>err

smaller "$deploy/sweep/slurm.sh" >slurm.sh
parts=$(sed -nE 's/^#SBATCH --array=1-([0-9]+)$/\1/p' slurm.sh)
for ((part = 1; part <= parts; ++part)); do
  expect 0 '' env -C slurm SLURM_ARRAY_TASK_ID=$part SLURM_ARRAY_TASK_COUNT="$parts" bash ../slurm.sh
done
merges slurm

# The Job: the words of its container's command, the last of which is a block, with what Kubernetes
# sets for each of its pods.
smaller "$deploy/sweep/job.yaml" >job.yaml
mapfile -t command < <(sed -nE '/^ +command:$/,/- \|$/s/^ +- ([^|].*)$/\1/p' job.yaml)
command+=("$(awk '/^ +- [|]$/ { inside = 1; indent = index($0, "-") + 2; next }
  inside && substr($0, 1, indent - 1) ~ /[^ ]/ { exit }
  inside { print substr($0, indent) }' job.yaml)")
completions=$(sed -nE 's/^ +completions: //p' job.yaml)
PARTS=$(sed -nE '/name: PARTS/{n;s/^ +value: "(.*)"$/\1/p}' job.yaml)
export PARTS
((${#command[@]} == 3 && ${#command[2]} > 0 && completions == PARTS)) || fail "not all parts: $completions of $PARTS"
for ((index = 0; index < completions; ++index)); do
  expect 0 '' env JOB_COMPLETION_INDEX=$index "${command[@]}"
done
merges job
expect 0 'arrived                 16' "$berth" run --cluster nodes.yaml --pods "$deploy/sweep/job.yaml"

echo "$checked checks"
