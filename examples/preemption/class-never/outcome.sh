# The pods of this class are tried before one of lower priority that came first, and evict nobody.
berth run --cluster cluster.yaml --pods pods.yaml
runs first n1
first_fails second '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.'
evicts_nobody second
# The pod of the low class may evict, and does. While its victim ends the other one is waiting, too,
# and is ahead of it again: the room goes to the pod of higher priority, not to the nominated one.
evicts later batch
runs second n1
waits later '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.'
