#!/bin/bash
# Runs the binaries of the release candidate, and compares what they decide with what was recorded.
#   check.sh BERTH FOLDER [--record]
# Exits with status 77 on machines for which there are no binaries.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../run/expect.sh"

berth=$1 folder=$2 record=${3:-}
if [[ $(uname -m) != x86_64 ]]; then
  echo "skipped: the binaries are for x86-64, and this machine is $(uname -m)"
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder/bin"
cd "$folder"

(cd "$here/bin" && sha256sum --check --quiet SHA256SUMS) || fail 'a binary is not the one that was built'
cp "$here"/bin/*.so bin
chmod 755 bin bin/*.so
plugins=(--plugins default:bin)

"$berth" plugin list "${plugins[@]}" >list 2>err || fail "plugin list: $(cat err)"
grep Candidate list | tr -s ' ' >plugins.txt
"$berth" run "${plugins[@]}" --config "$here/scheduler.yaml" --cluster "$here/cluster.yaml" \
  --pods "$here/pods.yaml" --kube-version 1.34 --admission=off --tie-break=name --bindings bindings.jsonl \
  --results results.full --scores >page 2>err || fail "run: $(cat err)"
# Without what a later version may add: times, and numbers of attempts.
sed -E 's/,"[a-z_]+_seconds":[0-9.e+-]+//g; s/,"attempts":[0-9]+//' results.full >results.jsonl
sed -nE 's/^.*(plugin CandidateGang: .*)/\1/p' err >log.txt

if [[ $record == --record ]]; then
  mkdir -p "$here/expected"
  cp plugins.txt bindings.jsonl results.jsonl log.txt "$here/expected"
fi
for file in plugins.txt bindings.jsonl results.jsonl log.txt; do
  diff "$here/expected/$file" "$file" >difference ||
    fail "$file differs from what the candidate did (< recorded, > now): $(cat difference)"
done
echo "$(wc -l <results.jsonl) pods, $(wc -l <bindings.jsonl) bindings, $(wc -l <plugins.txt) plugins"
