#!/bin/bash
# Checks style beyond clang-format: length of files, include guards, markers of unfinished work, and
# that one place prints the messages of the programs:
#   check_style.sh ROOT
set -euo pipefail
cd "$1"

mapfile -t files < <(find abi bench cli dev cmake engine examples loadgen plugins tests -type f \
  -regextype egrep -regex '.*\.(h|hpp|cc|c|fbs|cmake|sh)|.*/CMakeLists.txt|dev')
mapfile -t headers < <(printf '%s\n' "${files[@]}" | grep -E '\.(h|hpp)$')

# What else writes to standard error: the last words of a process, the progress line, log lines and
# the page of berth run.
not_messages='engine/base/(assert|bug)\.h|engine/base/program/(messages|progress)\.cc'
not_messages+='|engine/host/calls/checks/watchdog\.cc|cli/(run/run|serve/service|commands/run_command)\.cc'

found=$(
  wc -l "${files[@]}" | awk '$1 > 500 && $2 != "total" { print $2 ": " $1 " lines, more than 500" }'
  grep -LE '^#(pragma once|ifndef BERTH_)' "${headers[@]}" | sed 's/$/: no include guard/'
  # Written in parts, so that this line does not match.
  grep -nE 'TO''DO|FIX''ME|XX''X' "${files[@]}" || true
  grep -nE '\bstderr\b' "${files[@]}" | grep -E '^(engine|cli|loadgen|bench/macro)/' |
    grep -vE "^($not_messages):|(_test|/testing)[^:]*:|\.sh:|^[^:]+:[0-9]+: *//" |
    sed 's/$/: print it with say() of engine\/base\/program\/messages.h/' || true
)
[[ -z $found ]] || {
  echo "$found" >&2
  exit 1
}
echo "${#files[@]} files"
