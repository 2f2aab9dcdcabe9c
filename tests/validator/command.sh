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
