#!/bin/bash
# The HTML pages of berth explain and berth run: what they have, and that they need no network.
#   pages.sh BERTH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

node() { # node NAME CPU [SPEC]
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {kubernetes.io/hostname: %s, topology.kubernetes.io/zone: z}}\nspec: {%s}\nstatus: {allocatable: {cpu: "%s", memory: 64Gi, pods: "20"}}\n' "$1" "$1" "${3:-}" "$2"
}
pod() { # pod NAME CPU [SPEC]
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: default}\nspec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: "%s", memory: 1Mi}}}]}\n' "$1" "${3:-}" "$2"
}
on_page() { grep -qF -- "$1" page.html || fail "no \"$1\" on the page"; }
# closed: the page needs no network, and its policy allows its own script alone.
closed() {
  ! grep -qE 'https?://' page.html || fail "the page needs a network"
  grep -qF "default-src 'none'" page.html || fail "the page has no policy"
  ! grep -qE 'unsafe-eval|script-src .unsafe' page.html || fail "the policy allows any script"
}
# policy_hash: the hash that the policy names; script_hash: that of the script.
policy_hash() { sed -nE "s/.*'sha256-([^']*)'.*/\1/p" page.html; }
script_hash() {
  python3 - <<'PY'
import base64, hashlib, re
script = re.search("<script>(.*)</script>", open("page.html", newline="").read(), re.S).group(1)
print(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode())
PY
}

{ node a 4 && node b 2 && node t 8 'taints: [{key: k, value: v, effect: NoSchedule}]'; } >cluster.yaml
pod small 1 >small.yaml
pod large 5 >large.yaml
explain=("$berth" explain --cluster cluster.yaml)

# A pod that gets a node: the answer, and scores with weights and numbers.
expect 0 'Pod default/small: scheduled on a' "${explain[@]}" --pod small.yaml --report page.html
closed
on_page '<h1>default/small goes to node a</h1>'
on_page 'is the highest of 2 feasible nodes'
on_page 'NodeResourcesFit x1</th>'
grep -qE 'NodeResourcesFit: raw [0-9]+, normalised [0-9]+, x1 = [0-9]+' page.html || fail "no scores"
on_page 'NodeResourcesFit cpu: '
[[ $(policy_hash) == "$(script_hash)" ]] || fail "the policy does not allow the script"

# One that gets none: its event, its groups, what would let it fit, and events that wake it.
expect 0 'Pod default/large: unschedulable' "${explain[@]}" --pod large.yaml --report page.html
on_page '<h1>default/large fits on no node</h1>'
on_page '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.'
on_page '2 nodes: Insufficient cpu'
on_page 'would fit: 1 more allocatable cpu'
on_page 'would fit: remove taint k=v:NoSchedule'
on_page 'NodeResourcesFit cpu: wanted 5'
on_page 'Node/Add'

# Standard output, and files that cannot be written, which is said before the work.
expect 0 '</html>' "${explain[@]}" --pod large.yaml --report -
! grep -q 'Pod default/large:' out || fail "the text is on standard output as well"
expect 1 '-o: standard output is that of --report' "${explain[@]}" --pod large.yaml --report - -o json
expect 1 'none/page.html' "${explain[@]}" --pod missing.yaml --report none/page.html
! grep -q missing.yaml err || fail "the work began: $(cat err)"
expect 1 'would be written over' "${explain[@]}" --pod large.yaml --report cluster.yaml
echo former >page.html
expect 1 'missing.yaml' "${explain[@]}" --pod missing.yaml --report page.html
[[ ! -e page.html ]] || fail "the former page is left"

# A run: how pods end, why others wait, an explanation of one of each reason, and nodes.
{ pod p1 1 && pod p2 1 && pod p3 5 && pod p4 5 && pod p5 1 'nodeSelector: {disk: ssd},' &&
  pod p6 1 'schedulingGates: [{name: g}],'; } >pods.yaml
run=("$berth" run --cluster cluster.yaml --pods pods.yaml --seed 1)
"${run[@]}" --bindings plain.jsonl --summary plain.json -v=10 >/dev/null 2>plain.log
"${run[@]}" --bindings with.jsonl --summary with.json --report page.html -v=10 >out 2>with.log
closed
cmp plain.jsonl with.jsonl || fail "other bindings with a page"
diff <(sed -E 's/^[^ ]+ [^ ]+ +[0-9]+ //' plain.log) <(sed -E 's/^[^ ]+ [^ ]+ +[0-9]+ //' with.log) >/dev/null ||
  fail "the log has more with a page"
diff <(grep -E '"(pods_|decision)' plain.json) <(grep -E '"(pods_|decision)' with.json) | grep -v per_second |
  grep '^[<>]' && fail "another summary with a page"
on_page '<h1>4 of 6 pods have no node</h1>'
on_page '<td>2</td><td>default/p3</td><td>Insufficient cpu, node(s) had untolerated taint(s).'
on_page '<td>default/p3</td>'
on_page 'default/p3 fits on no node (2 pods)'
on_page 'would fit: 3 more allocatable cpu'
on_page 'default/p5 fits on no node (1 pod)'
on_page 'disk=ssd'
on_page '<td>default/p6</td><td>gated</td>'
on_page 'Nodes, the fullest first'
on_page 'Attempts and waits'
grep -q 'scheduled' out || fail "the summary is not printed beside the page"

# The same of frames, which have no files to read again.
"$berth" convert cluster.yaml --output cluster.frames 2>err
"$berth" convert pods.yaml --output pods.frames 2>err
expect 0 'scheduled' "$berth" run --cluster cluster.frames --pods pods.frames --seed 1 --report page.html
on_page 'would fit: 3 more allocatable cpu'

# Preemption is told, and nothing of what is asked afterwards is carried out.
{ node a 2 && pod low 2 'nodeName: a,'; } >full.yaml
pod high 2 'priority: 100,' >high.yaml
expect 0 'scheduled' "$berth" run --cluster full.yaml --pods high.yaml --admission off --report page.html
on_page 'default/low'
on_page '<h1>every pod of 1 has a node</h1>'

# Standard output, files that exclude each other, and those that cannot be written.
expect 0 '</html>' "${run[@]}" --report -
grep -q 'Cluster of' err || fail "the summary is not on standard error: $(cat err)"
expect 1 '-o json: standard output is that of --report' "${run[@]}" --report - -o json
expect 1 'results and the report cannot go to one file' "${run[@]}" --results same --report same
expect 1 'pods.yaml' "${run[@]}" --report pods.yaml
expect 1 'none/page.html' "${run[@]}" --bindings none.jsonl --report none/page.html
[[ ! -s none.jsonl ]] || fail "the work began"

# A journal of a run with a page plays without it.
expect 0 'scheduled' "${run[@]}" --record journal --report page.html
rm page.html
expect 0 '' "$berth" replay journal
[[ ! -e page.html ]] || fail "the replay wrote a page"
echo "$checked commands as expected"
