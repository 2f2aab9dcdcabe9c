#!/bin/bash
# The plugin that implements every extension point in C names each id of a point in the headers.
#   check_every_point.sh ROOT
set -euo pipefail
cd "$1"

points=$(awk -f tests/abi/layout/entries.awk abi/include/berth/abi/*.h |
  sed -nE 's/^TEXT\((BERTH_[A-Z_]+), .*/\1/p' |
  grep -vE '_SERVICE$|^BERTH_(PLUGIN_ENTRY|NOTE_NAME)$')
missing=$(for point in $points; do
  grep -qw "$point" tests/abi/every_point_plugin.c || echo "$point: not in every_point_plugin.c"
done)
[[ -n $points && -z $missing ]] || {
  echo "$missing" >&2
  exit 1
}
echo "$(wc -w <<<"$points") points"
