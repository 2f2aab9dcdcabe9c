#!/bin/bash
# A sweep in parts on the cores of this machine, with GNU parallel or, where there is none, xargs:
#
#   parallel.sh PARTS ARGUMENT...
#
# The arguments are those of berth-bench sweep. The parts are files of the current folder; the table
# is printed at the end. $BERTH_BENCH is the program, $JOBS the number of parts at a time.
set -euo pipefail

parts=$1
shift
jobs=${JOBS:-$(nproc)}
export BERTH_BENCH=${BERTH_BENCH:-berth-bench}

# one I N ARGUMENT...: runs part I of N. A file of the name part-I.json is complete.
one() {
  local part=$1 parts=$2
  shift 2
  "$BERTH_BENCH" sweep "$@" --part "$part/$parts" -o json >".part-$part.json"
  mv ".part-$part.json" "part-$part.json"
}
export -f one

if command -v parallel >/dev/null; then
  parallel --quote --halt now,fail=1 --jobs "$jobs" \
    bash -euc 'one "$@"' one {} "$parts" "$@" ::: $(seq "$parts")
else
  seq "$parts" | xargs -P "$jobs" -I '{}' bash -euc 'one "$@"' one '{}' "$parts" "$@"
fi
files=()
for part in $(seq "$parts"); do files+=("part-$part.json"); done
"$BERTH_BENCH" merge "${files[@]}"
