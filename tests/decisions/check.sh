#!/bin/bash
# Replays workloads and compares their decision hashes with the recorded ones.
#   check.sh BIN SHARED TABLE GROUP     compares the rows of one group
#   check.sh --record BIN SHARED TABLE  prints TABLE with the hashes that these programs give
#
# BIN is the folder of berth, berth-loadgen and berth-bench; SHARED is the folder of the workloads
# that are not part of the tree. Exit status 77: the group needs SHARED, which is absent.
#
# TABLE has tab-separated columns, and comments that begin with #:
#   group      small, presets, imported and traces (relative to SHARED), or streams (relative to the
#              folder `streams` beside TABLE)
#   version    of kube-scheduler, whose rules decide
#   way        run: `berth-loadgen stream ARGUMENTS` piped into `berth run`; bench: `berth-bench run
#              ARGUMENTS`; files: `berth run ARGUMENTS`
#   arguments  words, without quoting
#   default    the hash at the default percentage of nodes to score
#   all        the hash with --percentage-of-nodes-to-score 100
set -euo pipefail

mode=compare
if [[ ${1:-} == --record ]]; then
  mode=record
  shift
fi
bin=$1 shared=$2 table=$(realpath "$3") group=${4:-}
streams=$(dirname "$table")/streams
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "check.sh: $*" >&2
  exit 1
}

# The hash in the summary of `berth run` by the rules of a version and at a percentage, or "failed".
hash_of_run() {
  local version=$1 percentage=$2
  shift 2
  "$bin/berth" run --kube-version "$version" --percentage-of-nodes-to-score "$percentage" \
    --summary "$scratch/summary.json" "$@" >/dev/null 2>"$scratch/err" || {
    cat "$scratch/err" >&2
    echo failed
    return
  }
  sed -nE 's/^ *"decision_hash": "([0-9a-f]{16})",?$/\1/p' "$scratch/summary.json"
}

# The hashes at the default percentage and at 100, on one line.
hashes() {
  local version=$1 way=$2
  shift 2
  case $way in
    run)
      "$bin/berth-loadgen" stream "$@" --output "$scratch/stream" 2>"$scratch/err" || {
        cat "$scratch/err" >&2
        echo failed failed
        return
      }
      set -- --pods "$scratch/stream"
      ;&
    files) echo "$(hash_of_run "$version" 0 "$@") $(hash_of_run "$version" 100 "$@")" ;;
    bench)
      "$bin/berth-bench" run "$@" --kube-version "$version" --percentage-of-nodes-to-score 0,100 --repetitions 1 --warm-up 0 \
        -o json 2>"$scratch/err" >"$scratch/results.json" || {
        cat "$scratch/err" >&2
        echo failed failed
        return
      }
      sed -nE 's/.*"decision_hash": "([0-9a-f]{16})".*/\1/p' "$scratch/results.json" | xargs
      ;;
    *) fail "$table: the way \"$way\" is not run, bench or files" ;;
  esac
}

# Prints the folder that the arguments of a group's rows are relative to.
folder_of() {
  case $1 in
    imported | traces) echo "$shared" ;;
    streams) echo "$streams" ;;
    *) echo "$scratch" ;;
  esac
}

if [[ $mode == record || $group == imported || $group == traces ]] && [[ ! -d $shared ]]; then
  echo "skipped: these workloads are read from $shared, which is absent" >&2
  exit 77
fi
bin=$(realpath "$bin")

rows=0 different=0 failed=0
while IFS= read -r line; do
  if [[ $line == '#'* ]]; then
    if [[ $mode == record ]]; then echo "$line"; fi
    continue
  fi
  IFS=$'\t' read -r of version way arguments default all <<<"$line"
  if [[ $mode == compare && $of != "$group" ]]; then continue; fi
  read -ra words <<<"$arguments"
  found=$(cd "$(folder_of "$of")" && hashes "$version" "$way" "${words[@]}")
  ((rows += 1))
  if [[ $mode == record ]]; then
    printf '%s\t%s\t%s\t%s\t%s\n' "$of" "$version" "$way" "$arguments" "${found/ /$'\t'}"
    [[ $found != *failed* ]] || ((failed += 1))
  elif [[ $found != "$default $all" ]]; then
    echo "$version $way $arguments: decision hashes $found, recorded are $default $all" >&2
    ((different += 1))
  fi
done <"$table"

if [[ $mode == record ]]; then
  ((failed == 0)) || fail "$failed of $rows workloads did not run"
  exit 0
fi
((rows > 0)) || fail "$table has no rows of the group \"$group\""
((different == 0)) || fail "$different of $rows workloads of $group have other decisions"
echo "$rows workloads of $group have the recorded decisions"
