berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-lowest-priority-victims
first_fails p '0/2 nodes are available: 2 Insufficient cpu.'
evicts p low
runs p n1
