# One file after the other, as kubectl applies them.
{ cat redis.yaml; echo ---; cat web-store.yaml; } >"$output/pods.yaml"
berth run --cluster ../nodes.yaml --pods "$output/pods.yaml"
number 6 '*' scheduled
each 1 'redis-*' n1 n2 n3
each 1 'web-*' n1 n2 n3

# In the other order, the servers wait for the caches, and run beside them in the end.
{ cat web-store.yaml; echo ---; cat redis.yaml; } >"$output/pods.yaml"
berth run --cluster ../nodes.yaml --pods "$output/pods.yaml"
warns "err=\"0/3 nodes are available: 3 node(s) didn't match pod affinity rules."
each 1 'redis-*' n1 n2 n3
each 1 'web-*' n1 n2 n3

# The servers alone find no cache, and a fourth cache no node.
berth run --cluster ../nodes.yaml --pods web-store.yaml
waits 'web-*' "0/3 nodes are available: 3 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
sed 's/replicas: 3/replicas: 4/' redis.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml --pods "$output/pods.yaml"
number 3 'redis-*' scheduled
number 1 'redis-*' unschedulable
