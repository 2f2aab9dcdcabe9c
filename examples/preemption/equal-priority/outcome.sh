berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-equal-priority
waits p "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
