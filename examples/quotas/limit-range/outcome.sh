rejecting run --cluster cluster.yaml --pods pods.yaml
# Two containers of half a core fill the node.
runs team/a n1
runs team/b n1
waits team/c '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.'
ends team/over rejected 'maximum cpu usage per Container is 1, but limit is 2'
ends team/under rejected 'minimum cpu usage per Container is 100m, but request is 50m'
ends team/conflict rejected 'must be less than or equal to cpu limit of 500m'
