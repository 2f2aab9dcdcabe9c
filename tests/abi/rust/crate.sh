#!/bin/bash
# The tests of the crate berth-plugin, and that it compiles without a warning.
#   crate.sh ROOT FOLDER
# Exits with status 77 where there is no cargo.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/cargo.sh"

root=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
need_cargo "$folder"

# A copy, in which cargo may write its lock.
cp -r "$root/abi/rust" "$folder/crate"
export BERTH_LAYOUT_LIST=$root/abi/layout.list
cd "$folder/crate"
cargo test >log 2>&1 || {
  cat log >&2
  exit 1
}
if grep -q '^warning' log; then
  cat log >&2
  exit 1
fi
# The test of the layout sees a change.
sed 's/^berth_call.count = at 8, /berth_call.count = at 16, /' "$BERTH_LAYOUT_LIST" >changed.list
if BERTH_LAYOUT_LIST=$PWD/changed.list cargo test --lib layout >changed 2>&1 ||
  ! grep -q 'berth_call.count = at 16' changed; then
  echo "crate.sh: another layout is not found: $(cat changed)" >&2
  exit 1
fi
grep '^test result' log
