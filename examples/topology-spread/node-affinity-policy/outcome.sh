# All nodes count, also those that the pod's affinity excludes: only in zone c is the skew 1 at most.
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods pods.yaml
waits mypod "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 4 node(s) didn't match pod topology spread constraints. no new claims to deallocate, preemption: 0/5 nodes are available: 1 Preemption is not helpful for scheduling, 4 No preemption victims found for incoming pod."

# Honor is what a constraint says if it says nothing.
sed 's/Policy: Ignore/Policy: Honor/' pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods "$output/pods.yaml"
runs mypod node3 node4
