#!/bin/bash
# Compares the ABI of this build with what is released.
#   check.sh ROOT LAYOUT COLUMNS FOLDER
# LAYOUT and COLUMNS are the programs that print it.
set -euo pipefail
root=$1
"$2" >"$4/layout.present"
"$3" >"$4/columns.present"
here=$root/tests/abi/layout
bash "$here/compare.sh" "$root/abi/layout.list" "$here/released.sha256" "$4/layout.present" \
  "$4/columns.present"
