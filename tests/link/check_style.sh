#!/bin/bash
# Checks style beyond clang-format: length of files, include guards, markers of unfinished work:
#   check_style.sh ROOT
set -euo pipefail
cd "$1"

mapfile -t files < <(find abi bench dev cmake engine examples loadgen plugins tests -type f \
  -regextype egrep -regex '.*\.(h|hpp|cc|c|fbs|cmake|sh)|.*/CMakeLists.txt|dev')
mapfile -t headers < <(printf '%s\n' "${files[@]}" | grep -E '\.(h|hpp)$')

found=$(
  wc -l "${files[@]}" | awk '$1 > 500 && $2 != "total" { print $2 ": " $1 " lines, more than 500" }'
  grep -LE '^#(pragma once|ifndef BERTH_)' "${headers[@]}" | sed 's/$/: no include guard/'
  # Written in parts, so that this line does not match.
  grep -nE 'TO''DO|FIX''ME|XX''X' "${files[@]}" || true
)
[[ -z $found ]] || {
  echo "$found" >&2
  exit 1
}
echo "${#files[@]} files"
