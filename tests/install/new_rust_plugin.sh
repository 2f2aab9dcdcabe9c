#!/bin/bash
# The projects that `berth plugin new --lang rust` writes build with cargo, without a network, keep
# the contract, and their tests pass; without the plugin these tests fail.
#   new_rust_plugin.sh PREFIX FOLDER
# Exits with status 77 where there is no cargo.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../abi/rust/cargo.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

prefix=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
need_cargo "$folder"
berth=$prefix/bin/berth

# One build of all projects, which builds the crate once.
projects=() members=()
# add_project NAME POINT
add_project() {
  expect 0 "the plugin $1 in src/lib.rs" "$berth" plugin new "$1" --lang rust --point "$2" --directory "$1"
  projects+=("$1")
  members+=("\"$1\"")
}
points=$("$berth" plugin new --help | sed -nE 's/^.*implements \(filter\): (.*)$/\1/p' | tr -d ',')
for point in $points; do
  add_project "Mine$(sed -E 's/(^|-)(.)/\u\2/g' <<<"$point")" "$point"
done
((${#projects[@]} == 15)) || fail "only the points ${projects[*]}"
(
  echo '[workspace]'
  echo "members = [$(IFS=,; echo "${members[*]}")]"
  echo 'resolver = "2"'
) >Cargo.toml
cargo build --release >log 2>&1 || fail "the projects do not build: $(cat log)"
# Cargo warns that members of a workspace have profiles of their own, and of nothing else.
! grep '^warning: ' log | grep -v '^warning: profiles for the non root package' >warnings ||
  fail "the compiler warns: $(cat log)"

mkdir plugins
for name in "${projects[@]}"; do
  file=lib$(sed -E 's/([A-Z])/_\l\1/g; s/^_//' <<<"$name").so
  mkdir "plugins/$name"
  cp "target/release/$file" "plugins/$name/"
  expect 0 'as expected' sh "$name/test.sh" "$berth" "plugins/$name"
  # Its test sees what the plugin decides.
  sed -i '/^profiles:/,$d' "$name/scheduler.yaml"
  expect 1 'than in expected' sh "$name/test.sh" "$berth" "plugins/$name"
done
check() {
  "$berth" plugin check "$1" >"$1.checks" || echo "$1: $(cat "$1.checks")"
}
export -f check
export berth
printf '%s\n' plugins/*/*.so | xargs -P 4 -I {} bash -c 'check {}' >log
[[ ! -s log ]] || fail "checks: $(cat log)"
((checked += ${#projects[@]}))

# The folder of the build is one of plugins as it is.
expect 0 MineFilter "$berth" plugin list --plugins target/release --no-default-plugins

# Without the crate, and with an option that is for Rust alone.
mkdir -p moved/bin empty
cp "$berth" moved/bin
expect 1 'the crate berth-plugin is not there' moved/bin/berth plugin new Rack --lang rust
expect 0 'src/lib.rs' moved/bin/berth plugin new Rack --lang rust --crate "$prefix/share/berth/rust"
grep -qF "path = \"$prefix/share/berth/rust\"" rack/Cargo.toml || fail "another crate: $(cat rack/Cargo.toml)"
expect 1 'empty: the crate berth-plugin is not there' "$berth" plugin new Other --lang rust --crate empty
expect 2 'is for --lang rust' "$berth" plugin new Other --lang c --crate empty
[[ ! -e other ]] || fail "a refused command wrote something"
echo "$checked checks"
