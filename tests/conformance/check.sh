#!/bin/bash
# Answers recorded cases and compares.
#   check.sh BERTH reference|full all|built FOLDER...
# all: every case must pass. built: those that fail must each say which plugin is not built, and
# some must pass.
set -uo pipefail

berth=$1 evaluation=$2 which=$3
shift 3
exec 3>&1  # the table goes where it belongs
faults=$("$berth" conformance --evaluation "$evaluation" "$@" 2>&1 >&3)
status=$?
[[ $status == 0 ]] && exit 0
if [[ $which != built || $status != 1 ]]; then
  echo "$faults" >&2
  exit 1
fi

# A line that is not indented is a case, the lines below it are what is wrong with its answer.
awk '
  function check() { if (name != "" && !excused) { print name shown > "/dev/stderr"; bad = 1 } }
  /^[^ ]/ { check(); name = $0; shown = ""; excused = 0; ++failed; next }
  /is not built/ { excused = 1 }
  { shown = shown "\n" $0 }
  END { check(); print failed " cases need plugins that are not built"; exit bad }
' <<< "$faults"
