#!/bin/bash
# Makes the Debian packages, unpacks them, and runs the program there:
#   packages.sh CPACK CONFIG FOLDER
# FOLDER takes almost a gigabyte and is removed at the end, unless a check fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"
source "$(dirname "${BASH_SOURCE[0]}")/one_pod.sh"

cpack=$1 config=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# Compression takes most of the time, and changes nothing of what is tested.
"$cpack" --config "$config" -B "$folder" -D CPACK_DEBIAN_COMPRESSION_TYPE=none >log 2>&1 ||
  fail "cpack fails: $(cat log)"

shopt -s nullglob
runtime=(berth_*_amd64.deb) development=(berth-dev_*_all.deb) symbols=(berth-dbgsym_*_amd64.ddeb)
for package in runtime development symbols; do
  declare -n made=$package
  ((${#made[@]} == 1)) || fail "expected one package $package, found ${#made[@]}: $(ls)"
done

# Every library of the programs and the plugins comes from a package that is named.
mkdir root
for package in "${runtime[@]}" "${development[@]}" "${symbols[@]}"; do
  dpkg-deb -x "$package" root
  ((checked += 1))
done
depends=" $(dpkg-deb -f "${runtime[0]}" Depends | sed -E 's/ *\([^)]*\)//g; s/, / /g') "
# packages_of LIBRARY: its package, and what this package provides. Where /lib is a link to
# /usr/lib, packages may name either.
packages_of() {
  local real package
  real=$(readlink -f "$1")
  package=$({ dpkg -S "$real" || dpkg -S "${real#/usr}"; } 2>/dev/null | sed 's/[:,].*//')
  echo "$package"
  dpkg-query -W -f '${Provides}\n' "$package" | sed 's/ *([^)]*)//g; s/, */\n/g'
}
ldd root/usr/bin/* root/usr/lib/berth/berth-plugin-host root/usr/lib/berth/plugins/*.so | awk '$2 == "=>" { print $3 }' | sort -u >libraries
(($(wc -l <libraries) > 5)) || fail "libraries: $(cat libraries)"
while read -r library; do
  found=no
  for package in $(packages_of "$library"); do
    [[ $depends != *" $package "* ]] || found=yes
  done
  [[ $found == yes ]] || fail "$library is needed, and the package only depends on$depends"
  ((checked += 1))
done <libraries
[[ $(dpkg-deb -f "${development[0]}" Depends) == berth* ]] || fail "berth-dev does not need berth"
! dpkg-deb -c "${development[0]}" | grep -q '/usr/bin/' || fail "berth-dev has programs"
! dpkg-deb -c "${runtime[0]}" | grep -q '/usr/include/' || fail "berth has headers"
for file in include/berth/abi/plugin.h share/man/man1/berth.1.gz share/doc/berth/README.md \
  share/zsh/vendor-completions/_berth share/bash-completion/completions/berth-bench; do
  [[ -s root/usr/$file ]] || fail "no package has $file"
done

# Symbols are in the package of symbols alone, where debuggers look for those of this build.
id=$(readelf -n root/usr/bin/berth | sed -n 's/.*Build ID: //p')
[[ -s root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug ]] || fail "no symbols of berth, build $id"
! readelf -S root/usr/bin/berth | grep -q '\.debug_info' || fail "berth is not stripped"

write_one_pod
expect 0 '{"namespace":"default","name":"first","node":"only"}' \
  root/usr/bin/berth run --cluster cluster.yaml --pods pods.yaml --bindings -
expect 0 'com.example.blinking-light' grep -r com.example.blinking-light root/usr/share/doc/berth/abi/examples
expect 0 'NodeName' root/usr/bin/berth plugin describe root/usr/lib/berth/plugins/node_name.so
expect 0 'ABI' root/usr/bin/berth version
cd /
rm -rf "$folder"
echo "$checked checks"
