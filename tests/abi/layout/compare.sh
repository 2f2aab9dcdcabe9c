#!/bin/bash
# Compares the ABI with the list of its layout. Fails if a released entry was altered or removed, here
# or in the list, or if something was added without the list.
#   compare.sh LIST RELEASED PRESENT...
# LIST: abi/layout.list. RELEASED: released.sha256, which has a line "MINOR DIGEST" for each
# released minor version, with the digest of the entries up to it. PRESENT: what layout_list and
# column_list print now.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
list=$1 released=$2
shift 2

# The entries of ABI 1.0 to 1.MINOR, but for reserved members, which may get a name and a meaning.
entries_up_to() {
  awk -v minor="$1" '{
    match($0, /since 1\.[0-9]+$/)
    if (substr($0, RSTART + 8) + 0 <= minor && $0 !~ /\.reserved[0-9]* = /) print
  }' "$list" | LC_ALL=C sort
}

newest=-1
while read -r minor digest; do
  found=$(entries_up_to "$minor" | sha256sum | cut -d ' ' -f 1)
  if [[ $found != "$digest" ]]; then
    echo "abi/layout.list: entries of ABI 1.$minor or older were altered, added or removed (digest" >&2
    echo "$found, expected $digest in $(basename "$released"))." >&2
    echo 'abi/STABILITY.md, "What is promised": what is released stays as it is as long as the' >&2
    echo 'major is 1. Restore the entries; an addition is marked with a later minor version.' >&2
    exit 1
  fi
  newest=$minor
done <"$released"

cat "$@" | awk -v minor="$newest" -f "$here/compare.awk" "$list" - >&2
echo "$(cat "$@" | wc -l) entries"
