berth run --cluster ../nodes.yaml --pods pods.yaml --config scheduler.yaml
runs sent north
waits torn "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 node(s) didn't match scheduler-enforced node affinity. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
runs free south

# Without the configuration, nobody has the scheduler's name.
berth run --cluster ../nodes.yaml --pods pods.yaml
ends sent ignored
