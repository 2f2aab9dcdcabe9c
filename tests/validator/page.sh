#!/bin/bash
# The table of abi/museum.md has the exhibits of the museum, with the check that convicts each and
# what is seen:
#   page.sh PAGE TABLE
set -euo pipefail
page=$1 table=$2

# Without the column that says what an exhibit does, which has to be there.
shown=$(awk -F ' [|] ' -v OFS=' | ' '/^\| `[a-z_0-9]+` \|/ {
  if ($2 == "") print "nothing is said of " $1
  sub(/ \|$/, "", $NF)
  print $1, $3, $4
}' "$page")
there=$(awk -F '\t' -v OFS=' | ' '/^[^#]/ { print "| `" $1 "`", "`" $2 "`", $3 }' "$table")
diff <(echo "$shown") <(echo "$there") || {
  echo "$page is not what $table has (< the page, > the table)" >&2
  exit 1
}
echo "$(wc -l <<<"$there") rows"
