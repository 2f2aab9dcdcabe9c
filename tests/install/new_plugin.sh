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

# One build of all projects: a project for each takes ten times as long.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(projects LANGUAGES C CXX)
END
projects=()
for lang in c c++; do
  for point in filter score pre-enqueue queue-sort; do
    name=Mine${lang:1}
    name=${name/++/Xx}$(sed -E 's/(^|-)(.)/\u\2/g' <<<"$point")
    expect 0 "the plugin $name in" "$berth" plugin new "$name" --lang "$lang" --point "$point" \
      --directory "$name"
    echo "add_subdirectory($name)" >>CMakeLists.txt
    projects+=("$name")
  done
done
expect 0 'filter' "$berth" plugin new RackAware --lang c
[[ -s rack_aware/rack_aware.c ]] || fail "no folder with the plugin's name"
grep -qF '"com.example.rack-aware"' rack_aware/rack_aware.c || fail "no id of the plugin's name"

cmake -B build >log 2>&1 || fail "the projects do not configure: $(cat log)"
cmake --build build --parallel 2 >log 2>&1 || fail "the projects do not build: $(cat log)"
! grep -q warning log || fail "the compiler warns: $(cat log)"
for name in "${projects[@]}"; do
  ctest --test-dir "build/$name" >log 2>&1 || fail "the test of $name: $(cat build/"$name"/Testing/Temporary/LastTest.log)"
  grep -q '1 tests passed\|100% tests passed' log || fail "$name has no test: $(cat log)"
  "$berth" plugin describe build/"$name"/plugins/*.so >log || fail "$name cannot be described"
  # Its test sees what the plugin decides.
  sed -i '/^profiles:/,$d' "$name/scheduler.yaml"
  expect 1 'other bindings than in expected.jsonl' sh "$name/test.sh" "$berth" "build/$name/plugins"
done

# An installed plugin is found without an option.
cmake --install build --prefix "$folder/home/.local" >log
HOME=$folder/home expect 0 'MineXxScore' "$berth" plugin list

# Refusals, which leave nothing behind.
expect 1 'rack_aware: is there already' "$berth" plugin new RackAware --lang c
mkdir empty
expect 0 'filter' "$berth" plugin new RackAware --lang c++ --directory empty
expect 2 'expected a name such as RackAware' "$berth" plugin new rack --lang c
expect 2 'comes with Berth' "$berth" plugin new NodeName --lang c
expect 2 'found "go"' "$berth" plugin new Rack --lang go
expect 2 '--lang is required' "$berth" plugin new Rack
expect 2 'expected filter or score' "$berth" plugin new Rack --lang c --point bind
expect 2 'expected an id' "$berth" plugin new Rack --lang c --id rack
touch file
expect 1 'file: is there already' "$berth" plugin new Rack --lang c --directory file
expect 1 'cannot make the folder' "$berth" plugin new Rack --lang c --directory file/below
[[ ! -e rack ]] || fail "a refused command wrote something"
echo "$checked checks"
