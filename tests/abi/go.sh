#!/bin/bash
# The example in Go builds with the command of the page, keeps the contract, and decides as the Filter
# in C that `berth plugin new` writes:
#   go.sh BERTH ROOT FOLDER
# Exits with status 77 where there is no Go.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

berth=$1 root=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/plugins" "$folder/bin"
cd "$folder"
export GOCACHE=$folder/cache GOPATH=$folder/path GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local CC=${CC:-cc}
if ! go version >version 2>&1; then
  echo "skipped: no Go ($(head -n 1 version))"
  exit 77
fi

# The page's command takes the flags of an installation; here they are those of the source tree.
cp "$root"/abi/examples/go_rack/* .
cat >bin/pkg-config <<END
#!/bin/sh
case \$1 in
  --cflags) echo "-I$root/abi/include -fvisibility=hidden" ;;
  --variable=map) echo "$root/abi/plugin.map" ;;
esac
END
chmod +x bin/pkg-config
command=$(grep -E 'go build -buildmode=c-shared' "$root/abi/other-languages.md")
[[ -n $command ]] || fail "the page has no command"
PATH=$folder/bin:$PATH bash -euc "$command" >log 2>&1 || fail "$command: $(cat log)"
! grep -q warning log || fail "the compiler warns: $(cat log)"
chmod go-w . plugins go_rack.so
mv go_rack.so plugins/

expect 0 com.example.go-rack "$berth" plugin describe plugins/go_rack.so
expect 0 ' 0 failed' "$berth" plugin check plugins/go_rack.so
"$berth" plugin new GoRack --lang c --point filter --directory project >log
expect 0 'as expected' sh project/test.sh "$berth" plugins
# The test sees what the plugin decides.
sed -i '/^profiles:/,$d' project/scheduler.yaml
expect 1 'than in expected' sh project/test.sh "$berth" plugins
echo "$checked checks"
