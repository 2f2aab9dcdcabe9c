berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-only-as-many-as-needed
first_fails p '0/1 nodes are available: 1 Insufficient cpu.'
evicts p a
runs p n1
