#!/bin/bash
# A plugin whose compiler placed no section gets its note afterwards: `berth plugin note` writes it,
# and objcopy adds it.
#   note.sh BERTH CC ROOT FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 cc=$2 root=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder/plugins"
cd "$folder"

# A plugin in C without the macro.
expect 0 'filter' "$berth" plugin new Bare --lang c --id com.example.bare
sed -i '/"berth\/c\/plugin.h"/a #undef BERTH_PLUGIN_NOTE\n#define BERTH_PLUGIN_NOTE(...) struct no_note' bare/bare.c
"$cc" -std=c11 -fPIC -shared -fvisibility=hidden -I "$root/abi/include" bare/bare.c -o bare.so
chmod go-w . bare.so
expect 1 'it has no section .note.berth' "$berth" plugin describe bare.so

note=("$berth" plugin note note.bin --id com.example.bare --name Bare --points berth.filter/0)
"${note[@]}" || fail "no note"
objcopy --add-section .note.berth=note.bin bare.so plugins/bare.so
expect 0 'com.example.bare' "$berth" plugin list --plugins plugins --no-default-plugins
expect 0 '0 failed' "$berth" plugin check plugins/bare.so
expect 0 'as expected' sh bare/test.sh "$berth" plugins
# After strip, too.
strip plugins/bare.so
expect 0 'com.example.bare' "$berth" plugin describe plugins/bare.so

# What the macro writes is the same.
"$cc" -std=c11 -fPIC -shared -I "$root/abi/include" -o macro.so -x c - <<'END'
#include "berth/abi/plugin.h"
BERTH_PLUGIN_NOTE("com.example.bare", "Bare", 0, "berth.filter/0");
END
objcopy -O binary --only-section=.note.berth macro.so macro.bin
cmp <(head -c "$(stat -c %s macro.bin)" note.bin) macro.bin || fail "the macro writes another note"

# The same of what is needed; a later line is ignored.
"${note[@]}" --needs berth.worker/0,node.domain:* || fail "no note"
"$cc" -std=c11 -fPIC -shared -I "$root/abi/include" -o macro.so -x c - <<'END'
#include "berth/abi/plugin.h"
BERTH_PLUGIN_NOTE_NEEDING("com.example.bare", "Bare", 0, "berth.filter/0", "berth.worker/0 node.domain:*");
END
objcopy -O binary --only-section=.note.berth macro.so macro.bin
cmp <(head -c "$(stat -c %s macro.bin)" note.bin) macro.bin || fail "the macro writes another note"
objcopy --add-section .note.berth=note.bin bare.so needing.so
expect 0 'com.example.bare' "$berth" plugin describe needing.so
"${note[@]}" --needs berth.worker/1,node.colour || fail "no note"
objcopy --add-section .note.berth=note.bin bare.so needing.so
expect 1 'needs the service berth.worker/1; this Berth has berth.worker/0; needs the column node.colour' \
  "$berth" plugin describe needing.so

# A note that says otherwise than the descriptor is refused, and so is a malformed one.
"${note[@]}" --needed 1 || fail "no note"
objcopy --add-section .note.berth=note.bin bare.so other.so
expect 1 'its note' "$berth" plugin describe other.so
expect 1 'reverse DNS' "$berth" plugin note bad.bin --id bare --name Bare --points berth.filter/0
expect 1 'not ids with a revision' "$berth" plugin note bad.bin --id a.bare --name Bare --points filter
[[ ! -e bad.bin ]] || fail "a refused note was written"
echo "$checked checks"
