#!/bin/bash
# What the programs print on a terminal and elsewhere: no colours anywhere, so NO_COLOR has what it
# asks for; control sequences (of the progress line) only on terminals that have them.
#   terminal.sh BERTH BERTH_LOADGEN BERTH_BENCH FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"

berth=$1 loadgen=$2 bench=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

command -v script >/dev/null || fail "script (package bsdutils) is missing"
"$loadgen" stream mixed --set nodes=3000 --set pods=60000 --output many.frames 2>err
"$loadgen" stream mixed --set nodes=5 --set pods=5 --output few.frames 2>err
small=(mixed --set nodes=5 --set pods=5 --warm-up 0 --repetitions 1)
escape=$'\x1b'

# on_terminal COMMAND...: runs it on a terminal; the file out has all that it shows there.
on_terminal() {
  local line
  printf -v line '%q ' "$@"
  script -qec "$line" /dev/null >out </dev/null || fail "$*: $(cat out)"
}
commands=(
  "$berth run --pods few.frames"
  "$berth --help"
  "$berth plugin list"
  "$berth run --nope"
  "$loadgen list -o wide"
  "$loadgen cluster none"
  "$bench list"
  "$bench run ${small[*]}"
)
for command in "${commands[@]}"; do
  for way in terminal no_color elsewhere; do
    read -ra words <<<"$command"
    case $way in
      terminal) script -qec "$command" /dev/null >out </dev/null || true ;;
      no_color) NO_COLOR=1 script -qec "$command" /dev/null >out </dev/null || true ;;
      elsewhere) "${words[@]}" >out 2>&1 </dev/null || true ;;
    esac
    [[ -s out ]] || fail "$command: nothing is shown"
    ! grep -qE "$escape\[[0-9;]*m" out || fail "$command prints colours: $(cat -v out)"
    [[ $way != elsewhere ]] || ! grep -q "$escape" out || fail "$command: $(cat -v out)"
    ((checked += 1))
  done
done

# The progress line, on terminals that can erase it.
export TERM=xterm
on_terminal "$berth" run --pods many.frames --percentage-of-nodes-to-score 100 --evaluation full
grep -q "pods, .* a second.*$escape\[K" out || fail "no progress on a terminal: $(head -c 500 out | cat -v)"
TERM=dumb on_terminal "$berth" run --pods many.frames --percentage-of-nodes-to-score 100 --evaluation full
! grep -q "$escape" out || fail "control sequences on a terminal that has none"
# Frames are not text.
for command in "$loadgen stream mixed --set nodes=5 --set pods=5" "$berth convert few.frames --to frames"; do
  status=0
  script -qec "$command" /dev/null >out </dev/null || status=$?
  ((status == 1)) || fail "$command on a terminal: status $status"
  grep -q "standard output: is a terminal, and frames are not text" out ||
    fail "$command on a terminal: $(head -c 300 out | cat -v)"
done
script -qec "$berth convert few.frames --to jsonl" /dev/null >out </dev/null || fail "$(cat out)"
echo "$checked terminals"
