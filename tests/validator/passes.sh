#!/bin/bash
# Plugins pass all checks that concern them:
#   passes.sh BERTH PLUGIN|FOLDER...
set -euo pipefail

berth=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plugins=()
for given; do
  if [[ -d $given ]]; then plugins+=("$given"/*.so); else plugins+=("$given"); fi
done
for plugin in "${plugins[@]}"; do
  arguments=()
  # The only one of them that cannot do without.
  if [[ $plugin == *domain_limit_filter.so ]]; then
    echo '{"selector": {"matchLabels": {"app": "a"}}, "topologyKey": "disk", "most": 2}' >"$work/args"
    arguments=(--arguments "$work/args")
  fi
  "$berth" plugin check "$plugin" --timeout 60 "${arguments[@]}" >"$work/out" || {
    cat "$work/out" >&2
    exit 1
  }
  # The made-up cluster has pods for all of them.
  if grep 'for no pod of the made-up cluster' "$work/out" >&2; then
    echo "$plugin: hooks were not called" >&2
    exit 1
  fi
  passed=$(grep -c '^  passed ' "$work/out")
  # Identity, life, hooks.
  ((passed >= 7)) || {
    echo "$plugin: $passed checks passed" >&2
    exit 1
  }
done
echo "${#plugins[@]} plugins pass"
