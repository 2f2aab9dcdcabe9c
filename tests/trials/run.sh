#!/bin/bash
# Runs one trial in its folder, with an empty folder for its output:
#   run.sh TRIAL BIN OUTPUT
set -euo pipefail
export HOME=/nonexistent
unset BERTH_PLUGIN_PATH
rm -rf "$3"
mkdir -p "$3"
cd "$1"
exec bash ./check.sh "$2" "$3"
