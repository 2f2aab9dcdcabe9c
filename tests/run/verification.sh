#!/bin/bash
# Tests --verify-evaluation with a plugin that keeps a number of its own. Declared, or said to be
# external, it runs; undeclared, the run ends with an explanation:
#   verification.sh BERTH LOADGEN BENCH PLUGINS_OF_TESTS FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

berth=$1 loadgen=$2 bench=$3 plugins=$4 folder=$5
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
load=(mixed --set nodes=40 --set pods=400)
"$loadgen" cluster "${load[@]}" --output cluster.json 2>loadgen.log
"$loadgen" pods "${load[@]}" --output pods.json 2>loadgen.log
for way in undeclared declared external; do
  mkdir "$way"
  cp "$plugins/run_tally_$way.so" "$way/tally.so"
done
cat >tally.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {multiPoint: {enabled: [{name: Tally}]}}}]
END
run=("$berth" run --cluster cluster.json --pods pods.json --config tally.yaml --summary summary.json)
plugins_with() { echo "--plugins $PWD/$1"; }
# verified VERIFIED NOT_COMPARED: what the summary says.
verified() {
  grep -qF "\"decisions_verified\": $1," summary.json || fail "verified: $(grep decisions_ summary.json)"
  grep -qF "\"decisions_not_compared\": $2," summary.json || fail "compared: $(grep decisions_ summary.json)"
}

# The wrong declaration stops the run, with an exit status of its own.
# shellcheck disable=SC2046
expect 4 'differs from the reference evaluation' "${run[@]}" $(plugins_with undeclared) \
  --verify-evaluation=1
grep -q 'berth: decision [0-9]*, about pod "[^"]*/[^"]*"' err
grep -q '^ *node: ' err
grep -qF 'plugin: Tally, Score; it declares: node.name' err
grep -q 'incremental evaluation: [0-9]' err
grep -q 'reference evaluation: [0-9]' err
grep -qF 'declare every column that it reads, or BERTH_DEPENDS_EXTERNAL' err
grep -qF '"error": "decision ' summary.json
# Each pod is counted once, the one of the decision as failed.
grep -qF '"pods_failed": 1,' summary.json
grep -qF '"pods_total": 400,' summary.json
# The full evaluation keeps no answers, so the plugin is asked each time.
# shellcheck disable=SC2046
expect 0 'verified decisions' "${run[@]}" $(plugins_with undeclared) --evaluation=full \
  --verify-evaluation=1
# Nothing is verified: the run is wrong and says nothing.
# shellcheck disable=SC2046
expect 0 'decision' "${run[@]}" $(plugins_with undeclared) --verify-evaluation=0
verified 0 0

# A right declaration passes, every time; one in ten is every tenth.
# shellcheck disable=SC2046
expect 0 'verified decisions' "${run[@]}" $(plugins_with declared) --verify-evaluation=1
attempts=$(sed -n 's/.*"attempts": \([0-9]*\),.*/\1/p' summary.json)
verified "$attempts" 0
hash=$(grep decision_hash summary.json)
# shellcheck disable=SC2046
expect 0 'verified decisions' "${run[@]}" $(plugins_with declared) --verify-evaluation=10
verified $((attempts / 10)) 0
[[ $(grep decision_hash summary.json) == "$hash" ]] || fail 'verification changed decisions'
# shellcheck disable=SC2046
expect 0 'decision' "${run[@]}" $(plugins_with declared) --verify-evaluation=0
[[ $(grep decision_hash summary.json) == "$hash" ]] || fail 'verification changed decisions'

# With little memory for kinds of pods, decisions are the same.
# shellcheck disable=SC2046
expect 0 ' of 0 B, ' "${run[@]}" $(plugins_with declared) --ranking-memory 0
grep -q 'rankings of pod kinds .* evicted' out
grep -qF '"ranking_bytes_limit": 0,' summary.json
[[ $(grep decision_hash summary.json) == "$hash" ]] || fail 'eviction changed decisions'
expect 1 'ranking-memory: has no effect without --evaluation incremental' \
  "$berth" run --cluster cluster.json --pods pods.json --evaluation full --ranking-memory 1Gi
expect 2 'expected an amount of memory such as 512Mi or 4Gi, or 0 to keep one kind of pods, not "1 GB"' \
  "$berth" run --cluster cluster.json --pods pods.json --ranking-memory '1 GB'

# Decisions in which something external took part are not compared. Some took place without a score.
# shellcheck disable=SC2046
expect 0 'external inputs took part' "${run[@]}" $(plugins_with external) --verify-evaluation=1
count() { sed -n "s/.*\"$1\": \([0-9]*\),.*/\1/p" summary.json; }
(($(count decisions_not_compared) > 300))
(($(count decisions_not_compared) + $(count decisions_verified) == $(count attempts)))

# berth-bench has the same option, and fails the run.
expect 1 'differs from the reference evaluation' "$bench" run mixed --set nodes=40 --set pods=400 \
  --repetitions 1 --warm-up 0 --config tally.yaml --plugins "$PWD/undeclared" \
  --verify-evaluation=1
expect 0 '"decisions_verified": 400' "$bench" run mixed --set nodes=40 --set pods=400 \
  --repetitions 1 --warm-up 0 --verify-evaluation=1 -o json
echo "$checked runs"
