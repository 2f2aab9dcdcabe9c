#!/bin/bash
# Makes the binaries of the release candidate anew, in the folder bin:
#   build.sh
# Needs gcc, g++ and rustc. The binaries in the tree were made once and stay (README.md): this says how,
# and makes those of a later candidate.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
include=../../../abi/include map=../../../abi/plugin.map

flags=(-O2 -fPIC -shared -fvisibility=hidden -I"$include" -Wl,--version-script="$map" -Wl,-z,defs
  -Wl,--build-id=none -s)
mkdir -p bin
gcc -std=c11 "${flags[@]}" gang.c -o bin/gang.so
# The C++ library is not linked into it, which would take 1 MB.
g++ -std=c++20 "${flags[@]}" spread.cc -o bin/spread.so
rustc --edition 2021 --crate-type cdylib -C panic=abort -C opt-level=s -C strip=symbols \
  -C link-arg=-Wl,--build-id=none shelf.rs -o bin/shelf.so
(cd bin && sha256sum gang.so shelf.so spread.so >SHA256SUMS)
