berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-respects-pdb
first_fails p '0/2 nodes are available: 2 Insufficient cpu.'
evicts p free
runs p n2
