berth run --cluster cluster.yaml --pods pods.yaml
recorded_as preemption-violates-pdb-when-it-must
first_fails p '0/1 nodes are available: 1 Insufficient cpu.'
evicts p guarded
runs p n1
