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
  # Those that cannot do without.
  case $plugin in
    *domain_limit_filter.so)
      echo '{"selector": {"matchLabels": {"app": "a"}}, "topologyKey": "disk", "most": 2}' >"$work/args"
      ;;
    *fresh_nodes.so) echo '{"label": "disk", "least": 1}' >"$work/args" ;;
    *) rm -f "$work/args" ;;
  esac
  [[ ! -e $work/args ]] || arguments=(--arguments "$work/args")
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
