#!/bin/bash
# berth run --record and berth replay: a recorded run goes the same way again, and the first
# decision that differs is explained.
#   journals.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME CPU
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "$2"
}
pod() { # pod NAME CPU [SPEC]
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: default}\nspec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: "%s", memory: 1Mi}}}]}\n' "$1" "${3:-}" "$2"
}
hash_of() { grep -oE '"decision_hash": "[0-9a-f]+"' "$1"; }
# same JOURNAL [OPTION...]: the replay makes every decision as recorded.
same() {
  expect 0 'every decision is as recorded' "$berth" replay "$@"
}

# A load with refusals, preemption and volumes, as frames and as a file of objects.
load=(mixed --set nodes=60 --set pods=900)
"$loadgen" cluster "${load[@]}" --output load.json 2>err
"$loadgen" pods "${load[@]}" --output pods.berth 2>err
"$berth" run --cluster load.json --pods pods.berth --seed 7 --record run.journal --summary - >summary 2>err
for threads in 1 2; do
  expect 0 "$(hash_of summary)" "$berth" replay run.journal --threads $threads -o json
done
decisions=$(grep -oE '"decisions": [0-9]+' out | grep -oE '[0-9]+')
grep -q "\"decisions_recorded\": $decisions," out || fail "the journal has other decisions: $(cat out)"
for evaluation in reference full; do
  expect 0 "$(hash_of summary)" "$berth" replay run.journal --evaluation $evaluation -o json
done

# The files of the run are gone or others by now.
mv load.json away.json && mv pods.berth away.berth
same run.journal

# From any point, and up to any point.
same run.journal --from $((decisions / 2))
expect 2 "--from: nothing is left to compare: the journal has $decisions decisions" "$berth" replay run.journal --from "$decisions"
expect 0 'run.journal: 1 decision of' "$berth" replay run.journal --until 1
expect 0 "run.journal: $((decisions / 3)) decisions of" "$berth" replay run.journal --until $((decisions / 3))
expect 0 'run.journal: 10 decisions of' "$berth" replay run.journal --until 10ms

# Cut at any byte, a journal is played to its last whole frame.
size=$(stat -c %s run.journal)
for ((i = 1; i <= 9; ++i)); do
  head -c $((size - i * 97)) run.journal >cut.journal
  expect 0 'the journal is cut short: it ends after decision' "$berth" replay cut.journal
  head -c $((size * i / 20)) run.journal >cut.journal
  expect 1 'so nothing is played' "$berth" replay cut.journal
done
head -c 10 run.journal >cut.journal
expect 1 'cut.journal' "$berth" replay cut.journal
head -c $((size - 1)) run.journal >cut.journal
same cut.journal

# Another weight: the first decision that differs, and the plugin that makes it differ.
{ node a 4 && node b 4 && pod running 1 'nodeName: a,'; } >cluster.yaml
{ pod first 1 && pod second 1; } >pods.yaml
cat >packed.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
END
"$berth" run cluster.yaml pods.yaml --record small.journal --results small.jsonl --scores=9 >out 2>err
same small.journal
expect 3 'first difference: decision 1 at' "$berth" replay small.journal --config packed.yaml
grep -q 'score NodeResourcesFit: ' out || fail "the plugin is not named: $(cat out)"
grep -qE 'recorded +on b' out || fail "the recorded node is not named: $(cat out)"
grep -qE 'now +on a' out || fail "the node is not named: $(cat out)"
expect 3 '"plugin": "NodeResourcesFit"' "$berth" replay small.journal --config packed.yaml -o json
# Scores are written as the results of the run have them.
python3 - <<'END' || fail "scores: $(cat out small.jsonl)"
import json
with open("small.jsonl") as file:
    first = json.loads(file.readline())
nodes = {node["node"]: node for node in first["scores"]}
replayed = json.load(open("out"))["first_difference"]["cause"]["scores_recorded"]
assert first["name"] == "first" and replayed == [nodes["b"], nodes["a"]], replayed
END

# The page: what differs, both nodes' scores, and the use of resources. It is opened before the work.
cp small.journal 's<b>.journal'
expect 3 'first difference: decision 1' "$berth" replay 's<b>.journal' --config packed.yaml --report page.html
grep -q '>s&lt;b&gt;.journal<' page.html || fail "the journal is not named: $(cat page.html)"
grep -q '<h1>decision 1 differs, of 2 recorded</h1>' page.html || fail "no headline: $(cat page.html)"
grep -qE '>b, as recorded</th><[^>]*>a, as recorded</th><[^>]*>b, now</th><[^>]*>a, now</th>' page.html || fail "no scores: $(cat page.html)"
grep -qE '<tr><td>NodeResourcesFit</td>(<td class="number">[0-9]+</td>){4}' page.html || fail "no numbers: $(cat page.html)"
grep -q '<summary>score NodeResourcesFit: 1 pod</summary>' page.html || fail "no group: $(cat page.html)"
grep -q '<td>default/first</td><td>b -&gt; a</td>' page.html || fail "no pod: $(cat page.html)"
grep -q 'Utilisation at the end of this replay' page.html || fail "no utilisation: $(cat page.html)"
! grep -qE 's<b>|https?://|<script' page.html || fail "the page needs a network"
expect 0 '<h1>2 decisions, all as recorded</h1>' "$berth" replay small.journal --report -
expect 0 '"utilisation": {' "$berth" replay small.journal --report page.html -o json
expect 1 'standard output is that of --report' "$berth" replay small.journal --report - -o json
cp small.journal kept.journal
expect 1 'small.journal' "$berth" replay small.journal --report small.journal
cmp small.journal kept.journal || fail "the report destroyed the journal"
expect 1 'nowhere/page.html' "$berth" replay small.journal --report nowhere/page.html
[[ ! -s out ]] || fail "the replay went before its report was refused: $(cat out)"
# The configuration of a recorded run is in its journal, too.
"$berth" run cluster.yaml pods.yaml --config packed.yaml --record packed.journal >out 2>err
rm packed.yaml
same packed.journal
expect 3 'score NodeResourcesFit: ' "$berth" replay packed.journal --config ''

# Folders, standard input and pipes are in the journal. A pipe is cut into batches where it was.
mkdir -p dump && cp cluster.yaml pods.yaml dump/
"$berth" run dump --record folder.journal >out 2>err
rm -r dump
same folder.journal
"$berth" run --cluster cluster.yaml --pods - --record input.journal <pods.yaml >out 2>err
same input.journal </dev/null
event() { # event NAME PRIORITY
  printf '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default"},"spec":{"priority":%s,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}}\n' "$1" "$2"
}
mkfifo events
background "$berth" run --cluster cluster.yaml --pods events --record pipe.journal --bindings pipe.jsonl >out 2>err
exec 9>events
event low 1 >&9
until_true $pid grep -q low pipe.jsonl
{ event high 9 && event low2 1 && event high2 9; } >&9
exec 9>&-
wait $pid
rm events
[[ $(head -1 pipe.jsonl) == *low* ]] || fail "the pipe was read as a whole: $(cat pipe.jsonl)"
same pipe.journal

# By the machine's clock, pods back off and are tried again when the recorded run did so.
{ event big 1 | sed 's/"cpu":"1"/"cpu":"90"/' && sleep 0.2 && event one 1 && sleep 1.3 &&
  sed 's/^---$//; /^$/d' <(node c 99) | python3 -c 'import json,sys
print(json.dumps({"type": "ADDED", "object": {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "c"}, "status": {"allocatable": {"cpu": "99", "memory": "9Gi", "pods": "9"}}}}))'; } |
  "$berth" run --cluster cluster.yaml --pods - --clock wall --record wall.journal --summary - >summary 2>err
expect 0 "$(hash_of summary)" "$berth" replay wall.journal -o json
same wall.journal

# A killed run leaves what it wrote.
mkfifo pipe
"$berth" run --cluster cluster.yaml --pods pipe --record killed.journal >out 2>err &
victim=$!
exec 9>pipe
event one 1 >&9
for ((i = 0; i < 100; ++i)); do
  "$berth" replay killed.journal >out 2>err && grep -q '1 decision of 1 recorded' out && break
  sleep 0.1
done
kill -9 $victim
wait $victim 2>err || true
exec 9>&-
expect 0 'the journal is cut short: it ends after decision 1' "$berth" replay killed.journal

# What is no journal, and wrong options.
expect 1 'cluster.yaml' "$berth" replay cluster.yaml
expect 1 'away.berth' "$berth" replay away.berth
expect 1 'no.journal' "$berth" replay no.journal
expect 2 'expected a number of decisions' "$berth" replay run.journal --until never
expect 2 'FILE is required' "$berth" replay
expect 1 'cannot go to one file' "$berth" run cluster.yaml --record x --bindings x
expect 1 'needs a file here' "$berth" run cluster.yaml pods.yaml --record x \
  --config <(printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n')
expect 1 'expected a file' "$berth" run cluster.yaml --record -
cp small.journal evil.journal
sed -i 's/cluster.yaml/clustex.yaml/' evil.journal # the frame is damaged by it
expect 1 'evil.journal' "$berth" replay evil.journal
echo "replay: $checked commands"
