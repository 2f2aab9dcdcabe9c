#!/bin/bash
# What debuggers, profilers and checkers see of a plugin, as abi/debugging.md promises:
#   debugging.sh gdb|attach|core|perf|valgrind|asan|columns|texts BERTH PROBE FOLDER SOURCES COMPILER
# PROBE is the built plugin of probe.c. Exit status 77: the tool is not installed or cannot work here.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../run/expect.sh"

what=$1 berth=$2 probe=$3 folder=$4 sources=$5 compiler=$6
rm -rf "$folder"
mkdir -p "$folder/plugins"
cd "$folder"
source=$sources/tests/abi/debugging/probe.c
line=$(grep -n 'a place to stop at' "$source" | cut -d: -f1)
cp "$probe" plugins/probe.so
chmod 755 . plugins plugins/probe.so
cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: node-a}
status: {allocatable: {pods: 100}}
END
cat >pods.json <<'END'
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "c"}]}}
END
cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {multiPoint: {enabled: [{name: Probe}]}}}]
END
run=("$berth" run --plugins "$PWD/plugins" --cluster cluster.yaml --config config.yaml --pods pods.json)

skip() {
  echo "skipped: $*"
  exit 77
}
needs() {
  command -v "$1" >which || skip "$1 is not installed"
}
# has FILE TEXT...: the file has each text.
has() {
  local file=$1 text
  shift
  for text in "$@"; do
    grep -qF -- "$text" "$file" || fail "$what: no \"$text\" in $file: $(head -c 6000 "$file")"
    ((checked += 1))
  done
}
# Works on nothing but the program that it runs: no standard input, no files of the user.
in_gdb() {
  timeout 120 gdb -nx --batch -iex 'set debuginfod enabled off' "$@" </dev/null
}

case $what in
gdb)
  needs gdb
  in_gdb -ex 'set breakpoint pending on' -ex "break probe.c:$line" -ex run -ex backtrace \
    -ex 'print pods' -ex 'info sharedlibrary probe' --args "${run[@]}" >page 2>err ||
    fail "gdb: $(cat err)"
  has page "probe_node (" "filter (plugin=" "probe.c:$line" 'berth::host::Filter::call' \
    '$1 = 0' "Yes         $PWD/plugins/probe.so"
  ;;
attach)
  # A debugger that comes when the plugins are loaded.
  needs gdb
  PROBE=wait "${run[@]}" >page 2>err &
  until grep -qs waiting err; do
    kill -0 $! 2>>err || fail "it ended: $(cat err)"
    sleep 0.05
  done
  in_gdb -p $! -ex backtrace -ex 'info sharedlibrary probe' -ex kill >seen 2>gdb_err ||
    skip "gdb cannot attach: $(cat gdb_err)"
  grep -q 'ptrace: Operation not permitted' gdb_err && skip "gdb may not attach to a process here"
  has seen 'probe_wait (' "probe.c:" "Yes         $PWD/plugins/probe.so"
  ;;
core)
  needs gdb
  [[ $(</proc/sys/kernel/core_pattern) != '|'* ]] || skip "core dumps go to another program here"
  ulimit -c unlimited 2>>err || skip "core dumps are not allowed here"
  status=0
  PROBE=crash "${run[@]}" >page 2>err || status=$?
  ((status == 139)) || fail "exit status $status"
  dump=$(compgen -G 'core*' | head -1) || skip "the system wrote no core dump here"
  (($(stat -c %s "$dump") < 2000000000)) || fail "the core dump has $(stat -c %s "$dump") bytes"
  in_gdb -ex backtrace -ex 'info sharedlibrary probe' "$berth" "$dump" >page 2>err ||
    fail "gdb: $(cat err)"
  rm -f "$dump"
  has page 'probe_crash ()' 'probe_node (' 'probe.c:' "Yes         $PWD/plugins/probe.so"
  has err "memfd:berth:$PWD/plugins/probe.so"
  ;;
perf)
  needs perf
  PROBE=spin perf record -q -e cpu-clock:u -o data -- "${run[@]}" --debug-plugins >page 2>err ||
    skip "perf cannot record here: $(head -3 err)"
  perf report -i data --stdio --sort dso,symbol >report 2>>err
  grep -qE 'probe\.so +\[\.\] probe_spin' report || fail "perf: $(head -30 report) $(cat err)"
  ((checked += 1))
  ;;
valgrind)
  needs valgrind
  status=0
  PROBE=overrun timeout 300 valgrind -q --show-mismatched-frees=no --error-exitcode=9 \
    "${run[@]}" --debug-plugins >page 2>err || status=$?
  ((status == 9)) || fail "exit status $status: $(cat page err)"
  has err 'Invalid read of size 8' 'probe_overrun (probe.c:' 'probe_node (probe.c:'
  PROBE=nothing timeout 300 valgrind -q --show-mismatched-frees=no --error-exitcode=9 \
    "${run[@]}" --debug-plugins >page 2>err || fail "a plugin without errors: $(cat err)"
  ;;
asan)
  library=$("$compiler" -print-file-name=libasan.so)
  [[ $library == /* ]] || skip "$compiler has no libasan.so"
  "$compiler" -std=c11 -g -O1 -fno-omit-frame-pointer -fsanitize=address -fPIC -shared \
    -fvisibility=hidden -I"$sources/abi/include" "$source" -o plugins/probe.so \
    -Wl,--version-script="$sources/abi/plugin.map" -Wl,-z,defs
  status=0
  PROBE=overrun LD_PRELOAD=$library ASAN_OPTIONS=detect_leaks=0:exitcode=9 \
    "${run[@]}" >page 2>err || status=$?
  ((status == 9)) || fail "exit status $status: $(cat page err)"
  has err 'heap-buffer-overflow' 'probe_overrun' 'probe.c:'
  PROBE=nothing LD_PRELOAD=$library ASAN_OPTIONS=detect_leaks=0:exitcode=9 \
    "${run[@]}" >page 2>err || fail "a plugin without errors: $(cat err)"
  ;;
columns)
  # A plugin that writes to a column: with --check-plugins it is caught, without it nobody sees.
  PROBE=write "${run[@]}" >page 2>err || fail "exit status $?: $(cat err)"
  for command in "${run[*]}" "$berth explain --plugins $PWD/plugins --cluster cluster.yaml --config config.yaml --pod pods.json"; do
    status=0
    # shellcheck disable=SC2086
    PROBE=write $command --check-plugins >page 2>err || status=$?
    ((status == 139)) || fail "$command: exit status $status: $(cat err)"
    has err 'berth: error: plugin "Probe" crashed in Filter of pod "default/web": SIGSEGV at address 0x' \
      ", in a column, which it may only read ($PWD/plugins/probe.so)"
  done
  "${run[@]}" --check-plugins >page 2>err || fail "a plugin that only reads: $(cat err)"
  ;;
texts)
  # Texts that are made to spoil terminals, lines and files: none gets out as it is, or whole.
  PROBE=talk "${run[@]}" --results results.jsonl -v 10 >page 2>err || true
  PROBE=talk "${run[@]}" --summary - >summary 2>summary_err || true
  explain=("$berth" explain --plugins "$PWD/plugins" --cluster cluster.yaml --config config.yaml --pod pods.json)
  PROBE=talk "${explain[@]}" >explained 2>explain_err || true
  PROBE=talk "${explain[@]}" -o json >explained.json 2>>explain_err || true
  PROBE=talk "${explain[@]}" -o yaml >explained.yaml 2>>explain_err || true
  for file in page err results.jsonl summary summary_err explained explain_err explained.json explained.yaml; do
    iconv -f UTF-8 -t UTF-8 "$file" >utf8 || fail "$file is not UTF-8"
    if LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' "$file"; then
      fail "$file has control characters: $(head -c 2000 "$file" | cat -v)"
    fi
    if grep -q '^berth: forged' "$file"; then fail "$file has a forged line"; fi
    (($(LC_ALL=C wc -L <"$file") < 200000)) || fail "$file has a line of $(wc -L <"$file") bytes"
    ((checked += 1))
  done
  has results.jsonl zap
  has err 'plugin Probe: zap'
  has explained zap
  python3 -c 'import json; json.load(open("explained.json")); [json.loads(line) for line in open("results.jsonl")]' ||
    fail "the JSON cannot be read"
  ;;
*) fail "unknown: $what" ;;
esac
echo "$checked checks"
