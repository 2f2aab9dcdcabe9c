#!/bin/bash
# Makes the Debian packages and installs them on a bare Debian 12, which debootstrap makes, with nothing
# of the source tree in it. There a user without privileges schedules a pod, and writes, builds, tests,
# checks, installs and runs plugins in C and C++:
#   bare_debian.sh CPACK CONFIG FOLDER [MIRROR]
# Needs root, debootstrap, half a gigabyte, and the network. `./dev bare` runs it; ctest does not.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cpack=$1 config=$(realpath "$2") folder=$(realpath -m "$3") mirror=${4:-http://deb.debian.org/debian}

fail() {
  echo "bare_debian.sh: $*" >&2
  exit 1
}
((EUID == 0)) || fail "only root may make a Debian of its own; run it with sudo"
command -v debootstrap >/dev/null || fail "there is no debootstrap; apt-get install debootstrap"

# The mounts below end with this process, however it ends.
if [[ -z ${BARE_DEBIAN_MOUNTS:-} ]]; then
  BARE_DEBIAN_MOUNTS=own exec unshare --mount --propagation private "$BASH" "$here/bare_debian.sh" "$@"
fi

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$cpack" --config "$config" -B "$folder" -D CPACK_DEBIAN_COMPRESSION_TYPE=none >log 2>&1 ||
  fail "cpack fails: $(cat log)"
debootstrap --variant=minbase bookworm root "$mirror" >log 2>&1 || fail "no Debian: $(tail -5 log)"
mkdir root/packages
mv berth_*.deb berth-dev_*.deb root/packages/
mount -t proc proc root/proc
mount --bind /dev root/dev
if [[ -e /etc/resolv.conf ]]; then cp /etc/resolv.conf root/etc/; fi
source "$here/one_pod.sh"
mkdir root/work
(cd root/work && write_one_pod)

# inside USER COMMAND...: fails with what the command printed.
inside() {
  local user=$1
  shift
  chroot --userspec="$user" root env -i HOME=/home/author PATH=/usr/bin:/bin:/usr/sbin:/sbin \
    DEBIAN_FRONTEND=noninteractive "$@" >log 2>&1 || fail "$*: $(tail -30 log)"
}
# says TEXT: the last command printed it.
says() { grep -qF -- "$1" log || fail "expected \"$1\": $(tail -30 log)"; }

inside root useradd --create-home author
inside root apt-get update
inside root sh -c 'apt-get install -y --no-install-recommends /packages/berth_*.deb'
# The program needs nothing but its package.
inside author berth run --cluster /work/cluster.yaml --pods /work/pods.yaml --bindings -
says '{"namespace":"default","name":"first","node":"only"}'
inside author berth plugin list
says NodeName

inside root sh -c 'apt-get install -y --no-install-recommends cmake g++ make pkg-config /packages/berth-dev_*.deb'
inside author sh -euxc '
cd
for lang in c c++; do
  berth plugin new MineIn$(echo $lang | tr c+ CX) --lang $lang --point filter --directory $lang
  cmake -S $lang -B $lang/build
  cmake --build $lang/build
  ctest --test-dir $lang/build --output-on-failure
  berth plugin check $lang/build/plugins/*.so
  cmake --install $lang/build --prefix ~/.local
done
berth plugin list
'
says MineInCXX
inside author sh -euxc '
cd
for lang in c c++; do
  berth run --config $lang/scheduler.yaml --cluster $lang/cluster.yaml --pods $lang/pods.yaml --bindings -
done
'
says '{"namespace":"default","name":"on-b","node":"south"}'
echo "the packages work on a bare $(. root/etc/os-release && echo "$PRETTY_NAME")"
umount root/proc root/dev
rm -rf root
