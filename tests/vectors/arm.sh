#!/bin/bash
# Compiles for 64-bit ARM what is written for several processors: loops over columns, which the
# compiler makes vectors of (NEON), and sources that name processors.
#   arm.sh SOURCE_DIR FOLDER
set -euo pipefail

root=$1 folder=$2
compiler=aarch64-linux-gnu-g++
if ! command -v "$compiler" >/dev/null; then
  echo "skipped: $compiler is not installed (the package g++-aarch64-linux-gnu)"
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder/include"
# The cross compiler has a C++ library of its own. Of other libraries the headers are those of this
# machine.
for headers in boost fmt tbb oneapi xxhash.h; do
  ln -s "/usr/include/$headers" "$folder/include/$headers"
done
cd "$root"

# compiled FILE: prints the assembly of a source or a header.
compiled() {
  "$compiler" -std=c++20 -O3 -DNDEBUG -ffp-contract=off -Wall -Wextra -Werror -I. -Iabi/include \
    -isystem "$folder/include" -S -o - -x c++ - <<<"#include \"$1\""
}

count=0
while read -r source; do
  vectors=$(compiled "$source" | grep -cE '[[:space:]]v[0-9]+\.(16b|8h|4s|2d)' || true)
  if ((vectors == 0)); then
    echo "$source: no loop became vectors" >&2
    exit 1
  fi
  echo "$source: $vectors vector instructions"
  ((count += 1))
done < <(grep -lrE '^ *BERTH_(SDK_)?VECTORISE( |$)' engine plugins --include='*.cc')
while read -r source; do
  compiled "$source" >/dev/null
  echo "$source"
  ((count += 1))
done < <(grep -lr '__x86_64__' engine --include='*.cc' --include='*.h' | grep -v _test.cc)
((count >= 12))
