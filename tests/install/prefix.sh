#!/bin/bash
# Installs into a prefix, moves it, and looks at what is there and whether it works:
#   prefix.sh CMAKE BUILD PREFIX STAGED
# STAGED is the folder of an installation with DESTDIR; it is removed at the end, unless a check fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"
source "$(dirname "${BASH_SOURCE[0]}")/one_pod.sh"

cmake=$1 build=$2 prefix=$3 staged=$4
rm -rf "$prefix" "$prefix.first" "$staged"
mkdir -p "$staged"

# Whatever the umask: a folder of plugins that others may write to would be refused.
umask 000
"$cmake" --install "$build" --prefix "$prefix.first" >"$staged/log"
mv "$prefix.first" "$prefix"
umask 022
cd "$staged"

for file in bin/berth bin/berth-loadgen bin/berth-bench lib/berth/berth-plugin-host \
  lib/berth/plugins/node_name.so share/berth/rust/Cargo.toml share/berth/rust/src/lib.rs \
  include/berth/abi/plugin.h include/berth/c/plugin.h include/berth/sdk/sdk.hpp share/berth/plugin.map \
  share/cmake/berth/berth-config.cmake share/pkgconfig/berth.pc share/man/man1/berth.1 \
  share/man/man1/berth-bench.1 share/man/man1/berth-loadgen.1 share/doc/berth/README.md \
  share/bash-completion/completions/berth share/zsh/site-functions/_berth \
  share/fish/vendor_completions.d/berth.fish share/doc/berth/abi/tutorial.md; do
  [[ -s $prefix/$file ]] || fail "$file is not installed"
  ((checked += 1))
done
[[ -z $(find "$prefix" -perm /go+w -not -type l) ]] || fail "others may write to what is installed"
# The headers are complete: each includes installed ones alone.
for header in $(grep -rhoE '#include "[^"]+"' "$prefix/include" | sed -E 's/.*"(.*)"/\1/' | sort -u); do
  [[ -f $prefix/include/$header ]] || fail "$header is included and not installed"
done
# Links of pages hold, those to headers and the crate included. In code, "](" is no link.
links_of() { awk '/^ *```/ { code = !code } !code' "$1" | grep -oE '\]\([^)# ]+' | cut -c3- | grep -v : || true; }
links=0
while read -r page; do
  for link in $(links_of "$page"); do
    [[ -e $(dirname "$page")/$link ]] || fail "$page: links to $link, which is not installed"
    ((links += 1))
  done
done < <(find "$prefix/share/doc/berth" -name '*.md')
((links > 200)) || fail "the pages have $links links"
grep -qF '[include/berth/abi](include/berth/abi)' "$prefix/share/doc/berth/abi/README.md" ||
  fail "links to headers are taken out"
grep -qF '| base | Errors with a place' "$prefix/share/doc/berth/engine/README.md" ||
  fail "a link to a folder that is not installed is left, or its text is gone"
# No file names the prefix, the sources or the build. The programs name sources in their debug
# information and in messages relative to the repository.
if grep -rIlF -e "$prefix" -e "$build" "$prefix" >named; then fail "absolute paths in $(cat named)"; fi

# DESTDIR is put in front, and nothing else differs.
DESTDIR=$staged/root "$cmake" --install "$build" --prefix /opt/berth >>log
(cd root/opt/berth && find . -type f | sort) >staged_files
(cd "$prefix" && find . -type f | sort) | diff - staged_files || fail "DESTDIR installs other files"
[[ $(ls root) == opt ]] || fail "DESTDIR installs outside of the prefix: $(ls root)"

# The packages for authors have the version of the headers, and serve whoever asks for an earlier one.
minor=$(sed -n 's/^#define BERTH_ABI_MINOR //p' "$prefix/include/berth/abi/base.h")
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(versions LANGUAGES NONE)
foreach(version 1.0 1.$minor 1.$((minor + 1)) 2)
  find_package(berth \${version} QUIET)
  message("\${version} \${berth_FOUND}")
endforeach()
END
CMAKE_PREFIX_PATH=$prefix "$cmake" -B versions . 2>&1 >>log | grep '^[12]' >found || true
printf '%s\n' '1.0 1' "1.$minor 1" "1.$((minor + 1)) 0" '2 0' | diff - found || fail "other versions of the package"
export PKG_CONFIG_PATH=$prefix/share/pkgconfig
[[ $(pkg-config --modversion berth) == 1.$minor ]] || fail "berth.pc has $(pkg-config --modversion berth)"
[[ -f $(pkg-config --variable=plugindir berth)/node_name.so ]] || fail "berth.pc names no folder of plugins"
((checked += 2))

# The programs work from where they are, with the plugins beside them.
write_one_pod
run=("$prefix/bin/berth" run --cluster cluster.yaml --pods pods.yaml --bindings -)
expect 0 '{"namespace":"default","name":"first","node":"only"}' "${run[@]}"
ln -sf "$prefix/bin/berth" linked
expect 0 '{"namespace":"default","name":"first","node":"only"}' ./linked "${run[@]:1}"
expect 0 'Pods' "$staged/root/opt/berth/bin/berth" "${run[@]:1:5}"
expect 0 'mixed' "$prefix/bin/berth-loadgen" list
expect 0 'pods_bound' "$prefix/bin/berth-bench" run mixed --set nodes=20 --set pods=20 \
  --repetitions 1 --warm-up 0 -o json
# Those of the build would be found if its path were known.
rm root/opt/berth/lib/berth/plugins/node_name.so
expect 1 'no plugin folder has them: "NodeName"' "$staged/root/opt/berth/bin/berth" "${run[@]:1:5}"
cd /
rm -rf "$staged"
echo "$checked checks"
