#!/bin/bash
# Runs an example and checks that what its page of the documentation promises happens:
#   check.sh BERTH EXAMPLE OUTPUT CASES
# OUTPUT is a folder that is made, or one that an earlier run of this left. EXAMPLE/outcome.sh has the commands and the promises, in the words of promises.sh. CASES is the
# folder of answers that were recorded from kube-scheduler.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/promises.sh"

program=$1 example=$2 output=$3 cases=$4
mark=$output/.example-output
[[ ! -e $output || -e $mark || -z $(ls -A "$output") ]] ||
  fail "$output: is not empty and no output of this script: name another folder"
rm -rf "$output"
mkdir -p "$output"
: >"$mark"
cd "$example"
source ./outcome.sh
((kept > 0)) || fail "outcome.sh promises nothing"
echo "$kept promises are kept"
