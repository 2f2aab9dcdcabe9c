#!/bin/bash
# Answers recorded cases and compares the answers:
#   check.sh BERTH reference|full all|built FOLDER...
# all: every case must pass. built: some cases must pass, and every failure must name a plugin that
# is not built.
set -uo pipefail

berth=$1 evaluation=$2 which=$3
shift 3
exec 3>&1  # the table goes to the test's own stdout
faults=$("$berth" conformance --evaluation "$evaluation" "$@" 2>&1 >&3)
status=$?
[[ $status == 0 ]] && exit 0
if [[ $which != built || $status != 1 ]]; then
  echo "$faults" >&2
  exit 1
fi

# A line without indentation is a case. The indented lines below it describe the differences.
awk '
  function check() { if (name != "" && !excused) { print name shown > "/dev/stderr"; bad = 1 } }
  /^[^ ]/ { check(); name = $0; shown = ""; excused = 0; ++failed; next }
  /is not built/ { excused = 1 }
  { shown = shown "\n" $0 }
  END { check(); print failed " cases need plugins that are not built"; exit bad }
' <<< "$faults"
