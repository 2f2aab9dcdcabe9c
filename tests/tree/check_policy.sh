#!/bin/bash
# The engine contains no policy of a plugin. Outside of the table of the configuration's defaults, of
# that of names in former configurations, and of tests it has
# - no plugin's name, neither in code nor in comments: those that plugins have and those in the table;
# - no plugin's id ("io.berth.node-name");
# - no text that a plugin gives as a reason or error.
# The table of API fields names types of the Kubernetes API, of which some are plugins' names too. That
# of a kubelet's checks has names and reasons that the kubelet shares with plugins. A feature gate that
# brings a plugin has its name; the tables of gates and of rules have it.
#   check_policy.sh ROOT
set -euo pipefail
cd "$1"

table=engine/config/profiles/default_plugins.cc
mapfile -t own < <(cat plugins/*/*plugin.cc | grep -oE '"[A-Z][A-Za-z]+"' | tr -d '"' | sort -u)
((${#own[@]} > 0)) || {
  echo "no plugin has a name" >&2
  exit 1
}
# Names of one word would be found in ordinary sentences; those in the table all have two or more.
mapfile -t names < <({
  printf '%s\n' "${own[@]}"
  [[ ! -f $table ]] || grep -oE '"[A-Z][a-z]+([A-Z]+[a-z]*)+"' $table | tr -d '"'
} | sort -u)
# A plugin also names the columns there that came with a later minor version: those are the engine's.
mapfile -t ids < <(cat plugins/*/*plugin.cc | grep -oE '"[a-z]+(\.[a-z0-9-]+)+"' | tr -d '"' |
  grep -vE '^(pod|node)\.' | sort -u)
# The forms of Kubernetes' own field errors, of its message about nodes, and of its errors about what
# does not exist or has changed belong to no plugin.
common=$'Invalid value: \n nodes are available:\nnot found\npreemption: '
common+=$'\nmust be greater than 0\nexpected at least one victim pod on node \n is being deleted'
common+=$'\nOperation cannot be fulfilled on '
# Texts of eight characters or more with a space are sentences, or the beginning of one.
mapfile -t texts < <(find plugins -name '*.cc' -o -name '*.h' |
  grep -vE '_test\.cc$|/testing(/|\.h$)' | xargs -r cat | grep -v '^ *//' |
  grep -oE '"([^"\\]|\\.)*"' | sed -E 's/^"(.*)"$/\1/' | grep -E '.{8}' | grep -v '[\\]' |
  grep ' ' | grep -vxF "$common" | sort -u)

mapfile -t files < <(find cli engine -name '*.h' -o -name '*.cc' |
  grep -vE "_test\\.cc\$|/testing(/|\\.h\$)|^$table\$|^engine/config/versions/former_names\\.cc\$|^engine/config/gates/|^engine/base/rules/rules\\.cc\$|^engine/ingest/objects/fields/api_fields\\.cc\$|^engine/controllers/kubelet/admission/predicate_names\\.h\$" | sort)
found=$({
  grep -HnwF "$(printf '%s\n' "${names[@]}" "${ids[@]}")" "${files[@]}" || true
  ((${#texts[@]} == 0)) || grep -HnF "$(printf '%s\n' "${texts[@]}")" "${files[@]}" || true
})
[[ -z $found ]] || {
  echo "$found" >&2
  exit 1
}
echo "${#names[@]} names, ${#ids[@]} ids and ${#texts[@]} texts of plugins, none in the engine"
