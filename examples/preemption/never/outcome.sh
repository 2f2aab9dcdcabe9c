berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-never
waits p "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never."
