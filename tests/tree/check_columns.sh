#!/bin/bash
# The page of columns for plugin authors lists the columns of the catalog, families included, and
# each once. The first cell of a row of a table holds the ids; "node.label:KEY" is the family
# "node.label:".
#   check_columns.sh ROOT
set -euo pipefail
cd "$1"

page=$(grep -E '^\| `' abi/columns.md | cut -d '|' -f 2 | grep -oE '`[^`]+`' | tr -d '`' |
  sed 's/:.*/:/' | sort)
catalog=$(cat engine/model/columns/catalog.cc engine/model/pods/pod_columns.cc | tr '\n' ' ' |
  grep -oE '\{"[^"]+", *A::|>\( *"[^"]+"' | cut -d '"' -f 2 | sort)
[[ -n $page && -n $catalog ]] || {
  echo "the page or the catalog has no columns" >&2
  exit 1
}
diff <(echo "$page") <(echo "$catalog") |
  sed -nE 's/^< (.*)/abi\/columns.md lists \1, which the catalog lacks/p
           s/^> (.*)/abi\/columns.md lacks \1/p' >&2
[[ $page == "$catalog" ]] || exit 1
echo "$(wc -l <<<"$page") columns"
