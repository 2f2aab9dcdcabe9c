#!/bin/bash
# Builds oneTBB with ThreadSanitizer from the source of the installed Debian package:
#
#   build-instrumented-tbb.sh PREFIX
#
# Debian's libtbb is not instrumented, so the sanitizer cannot see how it orders memory and reports
# a race at every primitive. The file `version` in PREFIX says which version is installed there.
set -euo pipefail

prefix=$1
version=$(dpkg-query --showformat '${source:Version}' --show libtbb-dev)
[[ -f $prefix/version && $(<"$prefix/version") == "$version" ]] && exit 0
echo "berth: building an instrumented oneTBB $version in $prefix" >&2

work=$prefix.work
rm -rf "$prefix" "$work"
mkdir -p "$work/apt/parts" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"

# Asks the system's package sources for source packages with separate apt state, so that the
# system's lists stay unchanged and root is not needed.
shopt -s nullglob
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [[ -f $list ]] && sed -nE 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$list" \
    >"$work/apt/parts/$(basename "$list" .list).list"
done
for list in /etc/apt/sources.list.d/*.sources; do
  sed -E 's/^Types:.*/Types: deb-src/I' "$list" >"$work/apt/parts/$(basename "$list")"
done
apt=(apt-get -qq
  -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/apt/parts"
  -o "Dir::State::Lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache"
  -o "APT::Sandbox::User=$(id -un)")
"${apt[@]}" update >&2
(cd "$work" && "${apt[@]}" source "onetbb=$version" >&2)

source=$(echo "$work"/onetbb-*/)
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_INSTALL_PREFIX="$prefix" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER=gcc \
  -DCMAKE_CXX_FLAGS="-fsanitize=thread -Wno-tsan" -DCMAKE_INSTALL_LIBDIR=lib \
  -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF >&2
ninja -C "$work/build" install >&2
rm -rf "$work"
echo "$version" >"$prefix/version"
