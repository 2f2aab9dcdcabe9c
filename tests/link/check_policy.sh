#!/bin/bash
# Checks that the engine does not mention plugins by name, except in the configuration's defaults:
#   check_policy.sh ROOT
set -euo pipefail
cd "$1"

mapfile -t names < <(cat plugins/*/plugin.cc | grep -oE '"[A-Z][A-Za-z]+"' | sort -u)
((${#names[@]} > 0)) || {
  echo "no plugin has a name" >&2
  exit 1
}
found=$(find engine -name '*.h' -o -name '*.cc' |
  grep -vE '_test\.cc$|/test_[^/]*$|^engine/config/default_plugins\.cc$' |
  xargs grep -HnF "$(printf '%s\n' "${names[@]}")" || true)
[[ -z $found ]] || {
  echo "$found" >&2
  exit 1
}
echo "${#names[@]} plugins, none named in the engine"
