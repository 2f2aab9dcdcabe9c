#!/bin/bash
# A folder of sources has at most 30 files, so that a reader can take it in. Inputs of tests (cases,
# corpora) are no sources.
#   check_folders.sh ROOT
set -euo pipefail
cd "$1"

most=30
mapfile -t counts < <(find abi bench cli cmake engine examples loadgen plugins tests -type f \
  -not -path '*/cases/*' -not -path '*/corpus/*' -printf '%h\n' | sort | uniq -c)
((${#counts[@]} > 0)) || {
  echo "no folder has files" >&2
  exit 1
}
found=$(printf '%s\n' "${counts[@]}" |
  awk -v most=$most '$1 > most { print $2 ": " $1 " files, more than " most }')
[[ -z $found ]] || {
  echo "$found" >&2
  exit 1
}
echo "${#counts[@]} folders"
