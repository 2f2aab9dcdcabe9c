berth run --cluster cluster.yaml --pods pods.yaml
runs three n1
recorded_as taints-three-two-tolerated
waits two "0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
