# The pod that tolerates one of the taints goes at once, as the one that tolerates none.
berth run --cluster cluster.yaml --pods watch.jsonl --events "$output/events.jsonl"
runs later n1
cp "$output/events.jsonl" "$output/page"
says '"note":"Marking for deletion Pod default/none"'
says '"note":"Marking for deletion Pod default/one"'
says '"note":"Marking for deletion Pod default/both"'
! grep -q 'default/stays"' "$output/page" || fail "the pod that tolerates all is evicted"
