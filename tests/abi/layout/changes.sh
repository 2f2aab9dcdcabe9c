#!/bin/bash
# Alters copies of the ABI headers, and checks that compare.sh catches each change and says what to do.
#   changes.sh ROOT CC CXX COLUMNS FOLDER
# COLUMNS: the program that prints the columns.
set -euo pipefail
root=$1 cc=$2 cxx=$3 columns=$4 folder=$5
layout=$root/tests/abi/layout
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$columns" >columns
checked=0
fail() {
  echo "changes.sh: $*" >&2
  exit 1
}

# copy: the headers as they are, in the folder include.
copy() {
  rm -rf include
  cp -r "$root/abi/include" include
  cp "$root/abi/layout.list" list
}
# edit HEADER SED: changes a header, and must change something.
edit() {
  sed -i -E "$2" "include/berth/abi/$1"
  ! cmp -s "include/berth/abi/$1" "$root/abi/include/berth/abi/$1" || fail "$2 changes nothing"
}
# present: what the copy has now, in the file present.
present() {
  awk -f "$layout/entries.awk" include/berth/abi/*.h >berth_layout_entries.inc &&
    "$cc" -std=c11 -w -Iinclude -I. -I"$layout" -c "$layout/layout_in_c.c" -o in_c.o &&
    "$cxx" -std=c++20 -w -Iinclude -I. -I"$layout" "$layout/layout_list.cc" in_c.o -o layout &&
    ./layout >present
}
compare() { bash "$layout/compare.sh" list "$layout/released.sha256" present columns >out 2>err; }
# caught TEXT...: the comparison fails and says all of this.
caught() {
  present
  ! compare || fail "not caught: $*"
  local text
  for text in "$@"; do
    grep -qF -- "$text" err || fail "expected \"$text\": $(cat err)"
  done
  ((checked += 1))
}
passes() {
  compare || fail "$1: $(cat err)"
  ((checked += 1))
}
promise='abi/STABILITY.md, "What is promised"'
adding='abi/STABILITY.md, "How something is added"'
coming=$(($(tail -n 1 "$layout/released.sha256" | cut -d ' ' -f 1) + 1))  # the next release
next=$(($(sed -n 's/^#define BERTH_ABI_MINOR //p' "$root/abi/include/berth/abi/base.h") + 1))

copy
present
passes 'the ABI as it is'

# A changed offset.
edit filter.h 's/^( *const berth_hook\* hook; .*)/  uint64_t extra;\n\1/'
caught 'berth_filter.hook changed. It was: at 8, 8 bytes, berth_hook const*, since 1.0; it is: at 16' \
  'berth_filter.extra is new, but it lies within the ' "$promise"

# A removed member, also the last.
copy
edit score.h '/uint64_t generation;/d'
caught 'berth_feasible.generation was removed. It was: at 32, 8 bytes, unsigned long, since 1.0' \
  'berth_feasible size in 1.0 changed' "$promise"

# A renumbered constant, and a removed one.
copy
edit base.h 's/^(#define BERTH_SKIP) 5/\1 7/'
caught 'BERTH_SKIP changed. It was: 5, int, since 1.0; it is: 7, int, since 1.0' "$promise"
copy
edit enqueue.h '/^#define BERTH_DID_DELETE/d'
caught 'BERTH_DID_DELETE was removed' "$promise"

# Another type of the same size, also of an argument.
copy
edit hook.h 's/uint32_t depends;/int32_t depends;/'
caught 'berth_hook.depends changed. It was: at 4, 4 bytes, unsigned int, since 1.0; it is: at 4, 4 bytes, int'
copy
edit filter.h 's/const uint8_t\* codes,/const int8_t* codes,/'
caught 'berth_post_filter.post_filter changed' 'signed char const*' "$promise"

# Another text of an id.
copy
edit filter.h 's|"berth.filter/0"|"berth.filter/1"|'
caught 'BERTH_FILTER changed. It was: "berth.filter/0", since 1.0; it is: "berth.filter/1"' "$promise"

# Another name at the same place.
copy
edit bind.h 's/void \(\*unreserve\)/void (*swapped)/'
caught 'berth_reserve.unreserve was removed' 'berth_reserve.swapped is new, but it lies within' "$promise"

# A struct without `size` never grows.
copy
edit base.h 's|^( *uint64_t size; )/\* bytes \*/|\1\n  /* Since ABI 1.'"$next"'. */\n  uint64_t more;|'
edit base.h "s/(#define BERTH_ABI_MINOR) .*/\1 $next/"
caught 'berth_string.more is new, but berth_string has no member `size`, so it never grows' "$promise"

# A member at the end: it has a mark, and its line is in the list.
grow='s|^(.*\(\*post_bind\)\(.*)|\1\n  uint64_t more;|'
marked='s|^(.*\(\*post_bind\)\(.*)|\1\n  /* Since ABI 1.'"$next"'. */\n  uint64_t more;|'
copy
edit bind.h "$grow"
caught 'berth_post_bind.more is new, but ABI 1.' "Mark it \"Since ABI 1.$coming\"" 'size in 1.0 changed'
copy
edit bind.h "$marked"
! present 2>err || fail 'a mark that is newer than BERTH_ABI_MINOR is taken'
grep -q "since ABI 1.$next, but BERTH_ABI_MINOR is" err || fail "of the mark: $(cat err)"
edit base.h "s/(#define BERTH_ABI_MINOR) .*/\1 $next/"
caught "berth_post_bind.more is new and not in abi/layout.list: at 24, 8 bytes, unsigned long, since 1.$next" \
  "berth_post_bind size in 1.$next is new" "$adding"
cat present columns >list
passes 'a member that was added with its line'
# A further change must not hide behind it.
sed -i -E 's/^(berth_filter.hook = at) 8/\1 16/' list present
! compare || fail 'an altered line of the list is taken'
grep -qF "$promise" err && grep -q 'were altered, added or removed' err || fail "of the list: $(cat err)"

# A reserved member may get a name and a meaning.
copy
edit bind.h '/^typedef struct berth_permit/,/^}/s|uint32_t reserved;|uint32_t kinds; /* Since ABI 1.'"$next"' */|'
edit base.h "s/(#define BERTH_ABI_MINOR) .*/\1 $next/"
caught "berth_permit.kinds is new and not in abi/layout.list" "$adding"
! grep -q 'was removed' err || fail "of a reserved member: $(cat err)"

# Columns.
copy
present
sed -i 's/^column node.label:KEY = nodes, u32/column node.label:KEY = nodes, u64/; /^column pod.priority /d' columns
caught 'column node.label:KEY changed. It was: nodes, u32, since 1.0; it is: nodes, u64' \
  'column pod.priority was removed' "$promise"

# A header that the reader of headers does not understand is an error, not a gap.
copy
edit base.h 's/^#define BERTH_WAIT 4/#define BERTH_WAIT (2 + 2)/'
! present 2>err || fail 'a macro that cannot be read is left out'
grep -q 'cannot read the macro BERTH_WAIT' err || fail "of a macro: $(cat err)"
echo "$checked changes"
