# The taint keeps new pods away at once, and evicts the other one 300 seconds after the second taint.
berth run --cluster cluster.yaml --pods watch.jsonl --events "$output/events.jsonl"
first_fails late '0/2 nodes are available: 1 node(s) didn'\''t match Pod'\''s node affinity/selector, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'
cp "$output/events.jsonl" "$output/page"
says '"note":"Marking for deletion Pod default/p"'
