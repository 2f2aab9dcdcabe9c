#!/bin/bash
# The command `berth plugin check`: what it prints and its exit statuses:
#   command.sh BERTH PLUGINS_OF_TESTS FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 plugins=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
good=$plugins/museum_behaves.so bad=$plugins/museum_filter_looks_at_count.so

"$berth" plugin check "$good" >all || fail "a plugin that behaves is convicted: $(cat all)"
[[ $(head -1 all) == "$good: plugin \"Museum\": "*" passed, 0 failed, 0 skipped" ]] ||
  fail "the first line is $(head -1 all)"
((checked += 1))

# The same seed finds the same, as text and as JSON.
status=0
"$berth" plugin check "$bad" >first || status=$?
((status == 1)) || fail "exit status $status of a plugin that is convicted"
"$berth" plugin check "$bad" >second || true
diff first second || fail "the same check finds something else"
grep -q '^  failed   rows.split$' first || fail "rows.split does not convict: $(cat first)"
grep -q '^           contract: The host may split .* (abi/include/berth/abi/hook.h)$' first ||
  fail "no contract: $(cat first)"
((checked += 1))
"$berth" plugin check "$good" "$bad" --check rows.split -o json >both.json && fail "status 0"
python3 - "$good" "$bad" <<'END' || fail "the JSON is $(cat both.json)"
import json, sys
good, bad = json.load(open("both.json"))
assert good["file"] == sys.argv[1] and bad["file"] == sys.argv[2]
assert good["plugin"] == bad["plugin"] == "Museum"
assert (good["failed"], bad["failed"], bad["skipped"]) == (0, 1, 0)
assert [result["status"] for result in bad["results"]] == ["passed"] * 4 + ["failed"]
last = bad["results"][-1]
assert last["check"] == "rows.split" and last["page"] == "abi/include/berth/abi/hook.h"
assert "in one call about all 141 positions" in last["seen"]
assert bad["passed"] == good["passed"] - 1 and "seen" not in good["results"][0]
END
((checked += 1))

# A fault is reported once: a wrong verdict by the check of calls, a service by that of services.
# once EXHIBIT CHECK
once() {
  status=0
  "$berth" plugin check "$plugins/museum_$1.so" >out || status=$?
  ((status == 1)) || fail "exit status $status of $1"
  [[ $(sed -nE 's/^  failed   //p' out) == "$2" ]] || fail "$1 is not convicted by $2 alone: $(cat out)"
  ((checked += 1))
}
once filter_waits calls.hooks
once filter_interns threads.services
once prepare_asks_the_time threads.services
grep -q '^  skipped  calls.hooks: .* threads.services$' out || fail "$(cat out)"
# Without the check of services another one says so.
expect 1 'failed   calls.hooks' "$berth" plugin check "$plugins/museum_filter_interns.so" --check calls.hooks

# Answers that differ in one check are not reported by the others, whose own faults are.
for exhibit in filter_looks_at_count score_sums_up filter_counts_calls; do
  status=0
  "$berth" plugin check "$plugins/museum_$exhibit.so" >out || status=$?
  [[ $(grep -c '^  failed' out) == 1 ]] || fail "$exhibit is convicted more than once: $(cat out)"
done
grep -q '^  failed   rows.again$' out || fail "answers that change by themselves: $(cat out)"
grep -qE '^  skipped  rows.split: answers of Filter differ, as rows.again has found; ' out ||
  fail "it is not said why rows.split is skipped: $(cat out)"
((checked += 3))

# Objects of files are among those that the plugins are asked about.
cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: real}
status: {allocatable: {cpu: "4", pods: "110"}}
END
cat >pods.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: important}
spec: {priority: 1000000, containers: [{name: c}]}
END
picky=$plugins/museum_waits_for_the_important.so
expect 0 ' 0 failed, ' "$berth" plugin check "$picky"
given=("$berth" plugin check --cluster cluster.yaml --pods pods.yaml)
expect 1 'failed   calls.hooks' "${given[@]}" "$picky"
grep -q 'returned verdict WAIT' out || fail "the verdict has no name: $(cat out)"
expect 0 ' 0 failed, ' "${given[@]}" "$good"
sed -i 's/1000000/high/' pods.yaml
expect 1 'pods.yaml:4' "${given[@]}" "$good"
expect 1 'absent.yaml' "$berth" plugin check --cluster absent.yaml "$good"

# In processes of their own, plugins keep the contract as well, or their processes end.
expect 0 ' 0 failed, ' "$berth" plugin check --isolate "$good"
grep -q '^  skipped  memory.behind: the plugin runs in a process of its own' out || fail "$(cat out)"
grep -q '^  passed   rows.split$' out || fail "$(cat out)"
expect 1 'was ended by the signal 11 (Segmentation fault) in a call of Filter' \
  "$berth" plugin check --isolate "$plugins/museum_filter_crashes.so"
expect 1 'did not return from Filter' \
  "$berth" plugin check --isolate --timeout 2 "$plugins/museum_filter_hangs.so"
expect 1 'failed   calls.hooks' "$berth" plugin check --isolate "$plugins/museum_filter_waits.so"

# The macro for plugins in C calls the plugin's `destroy`.
expect 0 'passed   life.leaks' "$berth" plugin check "$plugins/validator_owns.so" --check life.leaks

# A table that no run could use is seen in the exit status of `describe`, too.
for exhibit in table_is_absent table_is_short init_fails; do
  expect 1 'Inputs:            not known: ' "$berth" plugin describe "$plugins/museum_$exhibit.so"
done
expect 0 'Inputs: ' "$berth" plugin describe "$good"

# What a plugin cannot be is said of each file; the others are checked all the same.
echo 'no plugin' >text.so
status=0
"$berth" plugin check text.so missing.so "$good" --check identity.load >out 2>&1 || status=$?
((status == 1)) || fail "exit status $status"
[[ $(grep -c '^  failed   identity.note$' out) == 2 ]] || fail "two files are no plugins: $(cat out)"
grep -q 'skipped  identity.load: it needs identity.note, which did not pass' out || fail "$(cat out)"
grep -qF "$good: plugin \"Museum\": 2 passed" out || fail "the good one is lost: $(cat out)"
((checked += 1))

echo '{most: -1}' >arguments
expect_text() {
  grep -qF -- "$1" out || fail "expected \"$1\" in $(cat out)"
  ((checked += 1))
}
"$berth" plugin check "$good" --arguments arguments >out && fail "arguments are ignored"
expect_text 'seen:     validate refuses them: most: must be a number from 0'
echo '{most: 5}' >arguments
"$berth" plugin check "$good" --arguments arguments >out || fail "good arguments: $(cat out)"
expect_text ' passed, 0 failed, 0 skipped'
expect 1 'no-such-file' "$berth" plugin check "$good" --arguments no-such-file
# Both ways to write a list of checks.
"$berth" plugin check "$good" --check identity.note,rows.split -o json >comma.json
"$berth" plugin check "$good" --check identity.note --check rows.split -o json >again.json
grep -q '"rows.split"' comma.json && cmp comma.json again.json || fail "lists of checks: $(cat comma.json)"
expect 2 'rows.spilt' "$berth" plugin check "$good" --check rows.spilt
expect 2 'FILE is required' "$berth" plugin check
expect 2 '--timeout' "$berth" plugin check "$good" --timeout 0
echo "$checked checks"
