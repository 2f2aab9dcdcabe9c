berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-never-across-nodes
first_fails p '0/2 nodes are available: 2 Insufficient cpu.'
evicts p q
runs p n2
