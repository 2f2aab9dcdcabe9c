berth run --cluster cluster.yaml --pods pods.yaml
waits stranger "0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
runs equal n1
runs exists n1
