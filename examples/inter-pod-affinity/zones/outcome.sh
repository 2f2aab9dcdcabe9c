berth run --cluster ../nodes.yaml cluster.yaml --pods pods.yaml
runs beside n1
scores beside InterPodAffinity n1=100 n2=0
runs in-spite n1 n2
scores in-spite InterPodAffinity n1=0 n2=0
waits neither "0/3 nodes are available: 1 node(s) didn't match pod affinity rules, 2 node(s) didn't match pod anti-affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod."
