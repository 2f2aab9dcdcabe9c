berth run --cluster ../nodes.yaml cluster.yaml --pods pods.yaml
waits own "0/3 nodes are available: 3 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
runs selected n2
runs listed n3
runs any n2 n3
