#!/bin/bash
# The projects that `berth plugin new` writes build, and their tests pass; without the plugin these
# tests fail.
#   new_plugin.sh PREFIX FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

prefix=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
berth=$prefix/bin/berth
export CMAKE_PREFIX_PATH=$prefix

# One build of all projects: a project for each takes ten times as long. Most of the time goes into
# the headers of the SDK, which the C++ projects read as one precompiled header.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(projects LANGUAGES C CXX)
enable_testing()
END
# add_project NAME LANG POINT
projects=() first=
add_project() {
  expect 0 "the plugin $1 in" "$berth" plugin new "$1" --lang "$2" --point "$3" --directory "$1"
  echo "add_subdirectory($1)" >>CMakeLists.txt
  projects+=("$1")
  [[ $2 == c++ ]] || return 0
  local target
  target=$(sed -nE 's/^berth_add_plugin\(([a-z_]+) .*/\1/p' "$1/CMakeLists.txt")
  # Else each target would define a symbol of its own, and could not share the header.
  echo "set_target_properties($target PROPERTIES DEFINE_SYMBOL \"\")" >>CMakeLists.txt
  if [[ -z $first ]]; then
    first=$target
    echo "target_precompile_headers($target PRIVATE <berth/sdk/sdk.hpp>)" >>CMakeLists.txt
  else
    echo "target_precompile_headers($target REUSE_FROM $first)" >>CMakeLists.txt
  fi
}
points=$("$berth" plugin new --help | sed -nE 's/^.*implements \(filter\): (.*)$/\1/p' | tr -d ',')
for lang in c c++; do
  prefix_of_names=Mine${lang:1}
  prefix_of_names=${prefix_of_names/++/Xx}
  for point in $points; do
    add_project "$prefix_of_names$(sed -E 's/(^|-)(.)/\u\2/g' <<<"$point")" "$lang" "$point"
  done
done
((${#projects[@]} == 2 * 15)) || fail "${#projects[@]} projects at the points $points"
expect 0 'filter' "$berth" plugin new RackAware --lang c
# CMake is told of a prefix that it does not know.
! grep -q CMAKE_PREFIX_PATH out || fail "a prefix that CMake knows: $(cat out)"
CMAKE_PREFIX_PATH='' expect 0 " -D CMAKE_PREFIX_PATH=\"$(realpath "$prefix")\" && cmake --build" \
  "$berth" plugin new ToldOf --lang c
[[ -s rack_aware/rack_aware.c ]] || fail "no folder with the plugin's name"
grep -qF '"com.example.rack-aware"' rack_aware/rack_aware.c || fail "no id of the plugin's name"

cmake -B build -D CMAKE_BUILD_TYPE=Debug >log 2>&1 || fail "the projects do not configure: $(cat log)"
cmake --build build --parallel 2 >log 2>&1 || fail "the projects do not build: $(cat log)"
! grep -q warning log || fail "the compiler warns: $(cat log)"
ctest --test-dir build -j 2 >log 2>&1 || fail "tests of projects: $(cat build/Testing/Temporary/LastTest.log)"
grep -q "tests passed, 0 tests failed out of ${#projects[@]}" log || fail "not all projects have a test: $(cat log)"
# They test the plugins that they build, though the author has installed some.
cmake --install build --prefix "$folder/home/.local" >log
HOME=$folder/home ctest --test-dir build -j 2 >log 2>&1 ||
  fail "tests of installed projects: $(cat build/Testing/Temporary/LastTest.log)"
for name in "${projects[@]}"; do
  # Its test sees what the plugin decides.
  sed -i '/^profiles:/,$d' "$name/scheduler.yaml"
  expect 1 'than in expected' sh "$name/test.sh" "$berth" "build/$name/plugins"
done
# check PLUGIN: it keeps the contract. Those in C alone: the SDK has tests of its own.
check() {
  "$berth" plugin check "$1" >"$1.checks" || echo "$1: $(cat "$1.checks")"
}
export -f check
export berth
printf '%s\n' build/Mine[!X]*/plugins/*.so | xargs -P 4 -I {} bash -c 'check {}' >log
[[ ! -s log ]] || fail "checks: $(cat log)"
((checked += 15))

# The version is that of the project.
for lang in '' xx_; do
  expect 0 'Version:           0.1.0' "$berth" plugin describe build/Mine*/plugins/mine_${lang}filter.so
done

# An installed plugin is found without an option.
HOME=$folder/home expect 0 'MineXxScore' "$berth" plugin list

# Refusals, which leave nothing behind.
expect 1 'rack_aware: is there already' "$berth" plugin new RackAware --lang c
mkdir empty
expect 0 'filter' "$berth" plugin new RackAware --lang c++ --directory empty
expect 2 'expected a name such as RackAware' "$berth" plugin new rack --lang c
expect 2 'comes with Berth' "$berth" plugin new NodeName --lang c
expect 2 'found "go"' "$berth" plugin new Rack --lang go
expect 2 '--lang is required' "$berth" plugin new Rack
expect 2 'did you mean bind?' "$berth" plugin new Rack --lang c --point bnd
# A project has one point, however two are written.
expect 2 'expected one point, found "filter, score"; make' "$berth" plugin new Rack --lang c --point filter,score
expect 2 'expected one point, found "filter, score"; make' "$berth" plugin new Rack --lang c --point filter --point score
expect 2 'expected an id' "$berth" plugin new Rack --lang c --id rack
touch file
expect 1 'file: is there already' "$berth" plugin new Rack --lang c --directory file
expect 1 'cannot make the folder' "$berth" plugin new Rack --lang c --directory file/below
[[ ! -e rack ]] || fail "a refused command wrote something"
echo "$checked checks"
