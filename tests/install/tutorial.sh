#!/bin/bash
# Follows a page as a reader does: writes its files, runs its commands, and compares what they print.
#   tutorial.sh PREFIX PAGE FOLDER
# A line "`NAME`:" in front of a block of code makes it the file NAME. In blocks "console", lines
# that begin with "$ " are commands, and the others are what they print, on both streams. Other
# blocks are for readers alone.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../run/expect.sh"

prefix=$1 page=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/home" "$folder/work"
cd "$folder"
export HOME=$folder/home PATH=$prefix/bin:$PATH
export CMAKE_PREFIX_PATH=$prefix PKG_CONFIG_PATH=$prefix/share/pkgconfig

# What a reader would see, made by running the page's commands.
awk '
  function quoted(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
  /^```/ && !inside {
    inside = 1
    console = $0 == "```console"
    if (file != "") print "cat >" quoted(file) " <<\\END_OF_FILE"
    next
  }
  /^```$/ {
    if (file != "") print "END_OF_FILE"
    inside = 0
    file = ""
    next
  }
  inside && file != "" { print; next }
  inside && console && /^\$ / {
    print "echo " quoted($0)
    print substr($0, 3)
    next
  }
  !inside && /^`[^`]*`:$/ { file = substr($0, 2, length($0) - 3); next }
  !inside && !/^$/ { file = "" }
' "$page" >commands.sh
awk '/^```/ { console = $0 == "```console"; next } console' "$page" >expected
commands=$(grep -c '^\$ ' expected) || fail "$page has no commands"
files=$(grep -c '^cat >' commands.sh) || fail "$page has no files"
(cd work && bash -eu -o pipefail ../commands.sh) >printed 2>&1 || fail "a command fails: $(cat printed)"
diff expected printed || fail "the page (left) says otherwise"
echo "$files files, $commands commands"
