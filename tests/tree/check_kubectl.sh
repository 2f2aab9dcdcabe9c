#!/bin/bash
# Every `kubectl get` that a page shows names the kinds whose selectors default topology spreading
# needs, and the disruption budgets that preemption needs; without them a dump schedules differently
# from the cluster.
#   check_kubectl.sh ROOT
set -euo pipefail

cd "$1"
status=0 lines=0
while IFS= read -r line; do
  ((lines += 1))
  for kind in nodes pods namespaces services replicasets statefulsets replicationcontrollers \
    poddisruptionbudgets; do
    if [[ ! $line =~ [\ ,]$kind[\ ,] ]]; then
      echo "$line: lacks $kind" >&2
      status=1
    fi
  done
done < <(git ls-files -z -- '*.md' | xargs -0 grep -H 'kubectl get .*nodes')
((lines > 0)) || { echo "no page shows kubectl get nodes" >&2; exit 1; }
exit $status
