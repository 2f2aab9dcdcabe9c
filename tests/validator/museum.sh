#!/bin/bash
# Each misbehaving plugin is convicted by the check that its row names, which says what was seen:
#   museum.sh BERTH PLUGINS PREFIX TABLE
# PREFIX is that of the files of the plugins.
set -euo pipefail

berth=$1 plugins=$2 prefix=$3 table=$4
failed=0 count=0

fail() {
  echo "museum: $*" >&2
  failed=1
}

# convict FILE CHECK TEXT
convict() {
  local status=0 out
  out=$("$berth" plugin check "$1" --check "$2" --timeout 5 2>&1) || status=$?
  ((status == 1)) || fail "$1: exit status $status: $out"
  # Those before it passed: it is this check that convicts.
  [[ $(grep -c '^  failed' <<<"$out") == 1 ]] && grep -q "^  failed   $2\$" <<<"$out" ||
    fail "$1 is not convicted by $2: $out"
  grep '^           seen: ' <<<"$out" | grep -qF -- "$3" || fail "$1: expected \"$3\" in $out"
}

while IFS=$'\t' read -r name check text _; do
  [[ -z $name || $name == '#'* ]] && continue
  if [[ $name == lowers_its_priority && $(nice) -ge 19 ]]; then
    echo "museum: $name is skipped: this test has the lowest priority already (nice 19)"
    continue
  fi
  convict "$plugins/$prefix$name.so" "$check" "$text"
  ((count += 1))
done <"$table"
((count > 0)) || fail "no exhibits"
((failed == 0)) || exit 1
echo "$count plugins convicted"
