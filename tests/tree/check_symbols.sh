#!/bin/bash
# Checks exported symbols: a plugin exports its entry point, programs export nothing of Berth:
#   check_symbols.sh BUILD
set -euo pipefail

build=$1
bad=0
complain() {
  echo "$1" >&2
  bad=1
}

shopt -s nullglob
plugins=("$build"/lib/berth/plugins/*.so)
((${#plugins[@]} > 0)) || complain "no plugins in $build/lib/berth/plugins"
for plugin in "${plugins[@]}"; do
  exported=$(nm --dynamic --defined-only --format=just-symbols "$plugin" | tr '\n' ' ')
  [[ $exported == "berth_plugin_entry_v1 " ]] || complain "$plugin exports: $exported"
  needed=$(readelf --dynamic --wide "$plugin" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
  for library in $needed; do
    [[ $library =~ ^(libc|libm|ld-linux-x86-64)\.so\. ]] || complain "$plugin needs $library"
  done
  # With lazy binding, a missing symbol would crash at its first call.
  readelf --dynamic --wide "$plugin" | grep -q 'BIND_NOW\|FLAGS_1.*NOW' ||
    complain "$plugin is not bound at load time"
  ! readelf --dynamic --wide "$plugin" | grep -q NOOPEN || complain "$plugin cannot be opened"
done

for program in "$build"/bin/*; do
  exported=$(nm --dynamic --defined-only "$program" | grep ' [TtWwVvBbDdRr] .*berth' || true)
  [[ -z $exported ]] || complain "$program exports: $exported"
  # The allocator must come first, otherwise calls are bound to libc.
  first=$(readelf --dynamic --wide "$program" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | head -n 1)
  [[ $first == libmimalloc.so.* ]] || complain "$program does not have mimalloc first but $first"
done
exit $bad
