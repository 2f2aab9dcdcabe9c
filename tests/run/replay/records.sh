#!/bin/bash
# berth replay of what a cluster recorded: a watch, and an API server's audit log.
#   records.sh BERTH BERTH_LOADGEN FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME CPU
  printf '{"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"status":{"allocatable":{"cpu":"%s","memory":"64Gi","pods":"20"}}}' "$1" "$2"
}
pod() { # pod NAME CPU [SPEC]
  printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default","uid":"%s"},"spec":{%s"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"%s","memory":"1Mi"}}}]}}' "$1" "$1" "${3:-}" "$2"
}
on() { printf '"nodeName":"%s",' "$1"; }
event() { printf '{"type":"%s","object":%s}\n' "$1" "$2"; } # event TYPE OBJECT
compare() { expect "$1" "$2" "$berth" replay "${@:3}"; }    # compare STATUS TEXT ARGUMENT...

# The cluster's own choices: the emptier node, then either of two equal ones.
{
  event ADDED "$(node a 4)"
  event ADDED "$(node b 4)"
  event ADDED "$(pod running 1 "$(on a)")"
  event ADDED "$(pod first 1)"
  event ADDED "$(pod second 1)"
  event ADDED "$(pod big 90)"
  event MODIFIED "$(pod first 1 "$(on b)")"
  event MODIFIED "$(pod second 1 "$(on b)")"
  event ADDED "$(pod daemon 1 "$(on a)")"
} >watch.jsonl
compare 0 'watch.jsonl: 2 bindings recorded' watch.jsonl
grep -qE 'end as recorded +3$' out || fail "the big pod is pending in both: $(cat out)"
compare 0 '2 bindings' - <watch.jsonl
sed 's/"nodeName":"b"/"nodeName":"a"/' watch.jsonl >other.jsonl
compare 3 'first difference: binding 2 at 0s, default/second' other.jsonl --from 1
compare 3 'first difference: binding 1 at 0s, default/first' other.jsonl
grep -qE 'score NodeResources[A-Za-z]+: b has [0-9]+ against [0-9]+ of a' out || fail "no score: $(cat out)"
compare 0 '1 binding recorded' watch.jsonl --until 1

# The page has each pod that differs, by the plugin that decides, and the scores of both nodes.
compare 3 'first difference: binding 1' other.jsonl --report page.html
grep -qE '<summary>score NodeResources[A-Za-z]+: [12] pods?</summary>' page.html || fail "no group: $(cat page.html)"
grep -q '<td>default/first</td><td>a -&gt; b</td>' page.html || fail "no pod: $(cat page.html)"
grep -qE '<th>weighted score</th><[^>]*>a</th><[^>]*>b</th>' page.html || fail "no scores: $(cat page.html)"
grep -q '<h2>Utilisation at the end of the record</h2>' page.html || fail "no utilisation: $(cat page.html)"
compare 0 '<h1>2 bindings, all as our rules have it</h1>' watch.jsonl --report -
compare 1 'nowhere/page.html' watch.jsonl --report nowhere/page.html
compare 1 'is a folder: name one file: expected a journal' .
compare 1 'other.jsonl' other.jsonl --report other.jsonl

# Other rules in the same cluster.
cat >packed.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
END
compare 3 'score NodeResourcesFit: a has' watch.jsonl --config packed.yaml
compare 3 '"plugin": "NodeResourcesFit"' watch.jsonl --config packed.yaml -o json

# A filter refuses the recorded node; a pod that fits waits in the record; a pod of another
# scheduler.
sed 's/"spec":{\(.*"name":"c"\)/"spec":{"nodeSelector":{"k":"v"},\1/' watch.jsonl | grep -v '"Node"' >body
{ grep '"Node"' watch.jsonl && cat body; } >refused.jsonl
compare 3 "filter NodeAffinity: b is refused here: node(s) didn't match" refused.jsonl
grep -q 'default/first  *b -> pending' out || fail "the pod: $(cat out)"
grep -v MODIFIED watch.jsonl >waiting.jsonl
compare 3 'the record leaves the pod without a node' waiting.jsonl
grep -qE 'pending in the record +2$' out || fail "two pods fit: $(cat out)"
sed 's/"spec":{/"spec":{"schedulerName":"other",/' watch.jsonl >foreign.jsonl
compare 0 'pods that no profile here serves: 3' foreign.jsonl

# What was there before the record stands in a dump, whose pods wait for the record's bindings.
{ printf '{"kind":"List","apiVersion":"v1","items":[' && node a 4 && printf , && node b 4 && printf , &&
  pod first 1 && printf ']}'; } >dump.json
event MODIFIED "$(pod first 1 "$(on b)")" >tail.jsonl
compare 0 'tail.jsonl: 1 binding recorded' --cluster dump.json tail.jsonl
# It may be without pods.
{ printf '{"kind":"List","apiVersion":"v1","items":[' && node a 4 && printf , && node b 4 && printf ']}'; } >nodes.json
grep -v '"Node"' watch.jsonl >pods.jsonl
compare 0 'pods.jsonl: 2 bindings recorded' --cluster nodes.json pods.jsonl

# An audit log: the same, with the time of each request.
audit() { # audit SECOND VERB RESOURCE NAME [MEMBERS [SUBRESOURCE]]
  printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","stage":"ResponseComplete","verb":"%s","objectRef":{"resource":"%s","name":"%s","namespace":"default","subresource":"%s"},"responseStatus":{"code":200},"stageTimestamp":"2026-01-01T00:00:%02dZ"%s}\n' \
    "$2" "$3" "$4" "${6:-}" "$1" "${5:+,$5}"
}
binds() { # binds SECOND POD NODE
  audit "$1" create pods "$2" '"requestObject":{"kind":"Binding","target":{"kind":"Node","name":"'"$3"'"}}' binding
}
{
  audit 0 create nodes a "\"requestObject\":$(node a 4)"
  audit 0 create nodes b "\"requestObject\":$(node b 4)"
  audit 1 create pods first "\"requestObject\":$(pod first 3)"
  binds 2 first a
  audit 3 create pods second "\"requestObject\":$(pod second 3)"
  binds 4 second b
  audit 5 delete pods first
  audit 6 delete pods first '"requestObject":{"gracePeriodSeconds":0}'
  audit 7 create pods third "\"requestObject\":$(pod third 3)"
  binds 8 third a
  audit 9 create pods unknown
  echo 'no event'
} >audit.jsonl
compare 0 'audit log: 10 of 11 events changed an object' audit.jsonl
grep -q 'which a policy of level Request or RequestResponse logs: 1' out || fail "Metadata: $(cat out)"
grep -q 'lines that are no audit event: 1' out || fail "malformed: $(cat out)"
grep -qE 'end as recorded +3$' out || fail "the node is free again: $(cat out)"
compare 0 '1 binding recorded' audit.jsonl --until 3s
sed 's/^\(.*"second".*"target".*\)"name":"b"/\1"name":"a"/' audit.jsonl >wrong.jsonl
compare 3 'first difference: binding 2 at 4s, default/second' wrong.jsonl
grep -q 'filter NodeResourcesFit: a is refused here: Insufficient cpu' out || fail "full: $(cat out)"
# Cut anywhere, it is read to its end.
size=$(stat -c %s audit.jsonl)
for ((i = 1; i <= 9; ++i)); do
  head -c $((size * i / 10)) audit.jsonl >cut.jsonl
  status=0
  "$berth" replay cut.jsonl >out 2>err || status=$?
  # A pod whose binding was cut off waits in the record.
  ((status == 0 || status == 3)) || fail "cut after $i tenths: $(cat out err)"
done

# A recorded load: our own bindings are those of our rules, also where a search sees some of the
# nodes.
"$loadgen" stream daily --set nodes=300 --set rate=20 --set days=2m --output load.jsonl 2>err
"$berth" run --pods load.jsonl --bindings bindings.jsonl >out 2>err
python3 - <<'END'
import json
node = {(b["namespace"], b["name"]): b["node"] for b in map(json.loads, open("bindings.jsonl"))}
waiting = []
with open("recorded.jsonl", "w") as out:
    def bind():
        for one in waiting:
            pod = one["object"]["metadata"]
            one["type"] = "MODIFIED"
            one["object"]["spec"]["nodeName"] = node[pod["namespace"], pod["name"]]
            out.write(json.dumps(one) + "\n")
        waiting.clear()
    for line in open("load.jsonl"):
        one = json.loads(line)
        if one["type"] != "ADDED" or one["object"]["kind"] != "Pod":
            bind()
        else:
            waiting.append(one)
        out.write(line)
    bind()
END
pods=$(wc -l <bindings.jsonl)
((pods > 500)) || fail "the load has $pods pods"
compare 0 'every binding is as our rules have it' recorded.jsonl -o wide

# An interrupt gives the answer so far, marked.
mkfifo pipe
background "$berth" replay pipe >out 2>err
exec 9>pipe
cat watch.jsonl >&9
until_true $pid blocked $pid
kill -INT $pid
status=0
wait $pid || status=$?
exec 9>&-
((status == 130)) || fail "interrupted: exit status $status: $(cat out err)"
grep -q 'the replay was interrupted' out || fail "the answer is not marked: $(cat out)"

# Wrong command lines and files.
compare 2 'has no effect on a record of a cluster' watch.jsonl --clock wall
"$berth" run dump.json --record x.journal >out 2>err
compare 2 'a journal has the cluster of its run' --cluster dump.json x.journal
compare 1 'expected a journal of berth run --record' dump.json
compare 1 'gone.jsonl' gone.jsonl
echo '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{}}}' >faulty.jsonl
compare 1 'faulty.jsonl' faulty.jsonl
echo "records: $checked commands"
