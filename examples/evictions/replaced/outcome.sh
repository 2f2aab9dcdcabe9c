# One pod runs on each node. 300 seconds after the taint the pod of n1 is evicted, and its ReplicaSet
# makes another one, which runs on n2.
berth run --cluster cluster.yaml --pods watch.jsonl
number 3 'web-*' scheduled
cp "$output/results.jsonl" "$output/page"
says '"evicted_because":"DeletionByTaintManager: Taint manager: deleting due to NoExecute taint"'
placed=$(printf '%s\n' "${node_of[@]}" | sort | uniq -c | xargs)
[[ $placed == '1 n1 2 n2' ]] || fail "pods run elsewhere: $placed"
