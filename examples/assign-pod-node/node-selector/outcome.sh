berth run --cluster ../nodes.yaml --pods pods.yaml
runs fast north
waits faster "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
