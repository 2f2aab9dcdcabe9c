#!/bin/bash
# What clang-format does not look at: the length of files, include guards, work left for later.
#   check_style.sh ROOT
set -euo pipefail
cd "$1"

limit=500
bad=0
complain() {
  echo "$1" >&2
  bad=1
}

while read -r file; do
  lines=$(wc -l <"$file")
  ((lines <= limit)) || complain "$file has $lines lines, more than $limit"
  if [[ $file =~ \.(h|hpp)$ ]] && ! grep -qE '^#(pragma once|ifndef BERTH_)' "$file"; then
    complain "$file has no include guard"
  fi
  # Spelled so that this line is none of them.
  if later=$(grep -nE 'TO''DO|FIX''ME|XX''X' "$file"); then complain "$file: $later"; fi
done < <(find abi bench dev cmake engine loadgen plugins tests -type f \
  -regextype egrep -regex '.*\.(h|hpp|cc|c|fbs|cmake|sh)|.*/CMakeLists.txt|dev')
exit $bad
