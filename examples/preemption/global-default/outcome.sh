berth run --cluster cluster.yaml --pods pods.yaml
evicts unclassed former
runs unclassed n1

# Without the default its priority is 0, too, and nobody leaves for it.
sed '/globalDefault/d' cluster.yaml >"$output/cluster.yaml"
berth run --cluster "$output/cluster.yaml" --pods pods.yaml
waits unclassed '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.'
