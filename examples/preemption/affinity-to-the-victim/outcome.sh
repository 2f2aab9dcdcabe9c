berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-affinity-to-the-victim
waits p "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 node(s) didn't match pod affinity rules."
