# A class beyond a billion is refused; so is a pod of a class that does not exist.
rejecting run --cluster cluster.yaml --pods pods.yaml
warns 'maximum allowed value of a user defined priority is 1000000000'
ends mistyped rejected 'no PriorityClass with name urgnet was found'
evicts pressing batch
runs pressing n1
# The pod without a class came first and was tried second: its priority is 0.
evicts_nobody ordinary
first_fails ordinary '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.'
