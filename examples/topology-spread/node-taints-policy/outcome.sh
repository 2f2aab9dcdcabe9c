# Honor: nodes whose taints the pod does not tolerate do not count.
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods pods.yaml
runs mypod node3 node4

# Ignore, which is what a constraint says if it says nothing: the tainted node counts as an empty zone.
message="0/5 nodes are available: 1 node(s) had untolerated taint(s), 4 node(s) didn't match pod topology spread constraints. no new claims to deallocate, preemption: 0/5 nodes are available: 1 Preemption is not helpful for scheduling, 4 No preemption victims found for incoming pod."
sed 's/Honor/Ignore/' pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods "$output/pods.yaml"
waits mypod "$message"
grep -v nodeTaintsPolicy pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods "$output/pods.yaml"
waits mypod "$message"
