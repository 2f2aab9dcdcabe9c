berth run --cluster ../nodes.yaml cluster.yaml --pods pods.yaml
waits loud "0/3 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules, 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
runs pioneer n1 n2 n3
