#!/bin/bash
# A tree without uPlot, as before ./dev setup, is configured with a warning, and has every program,
# library and plugin of this build; only the report's page is left out.
#   without_uplot.sh CMAKE NINJA SOURCE BUILD FOLDER OPTION...
set -euo pipefail

cmake=$1 ninja=$2 source=$3 build=$4 folder=$5
shift 5
rm -rf "$folder"
mkdir -p "$folder"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}
"$cmake" -S "$source" -B "$folder/build" -G Ninja -D "CMAKE_MAKE_PROGRAM=$ninja" \
  -D "BERTH_UPLOT=$folder/no_uplot" "$@" >"$folder/out" 2>&1 || fail "$(cat "$folder/out")"
# CMake breaks lines anywhere.
said=$(tr -s ' \n' '  ' <"$folder/out")
[[ $said == *"$folder/no_uplot is missing"* ]] || fail "no warning: $said"
[[ $said == *"Run ./dev setup"* ]] || fail "the warning names no remedy: $said"

rules() { "$ninja" -C "$1" -t targets all | grep -E "$2" | sed 's/: .*//' | sort; }
linked=': (C|CXX)_(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY)_LINKER'
rules "$build" "$linked" >"$folder/with"
rules "$folder/build" "$linked" >"$folder/without"
for name in bin/berth bin/berth-bench bin/berth-loadgen lib/berth/plugins/node_name.so; do
  grep -q "$name$" "$folder/with" || fail "the build has no $name"
done
diff "$folder/with" "$folder/without" || fail "other targets than with uPlot"
page='bench/report/report_text.cc: CUSTOM_COMMAND'
[[ -n $(rules "$build" "$page") ]] || fail "the build joins no page"
[[ -z $(rules "$folder/build" "$page") ]] || fail "a page is joined without uPlot"
echo "$(wc -l <"$folder/without") targets"
