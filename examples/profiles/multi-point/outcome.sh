berth run --cluster ../cluster.yaml --pods pods.yaml --config scheduler.yaml
scores p weight ImageLocality=5 NodeAffinity=3 TaintToleration=3
unscored p NodeResourcesFit
# NodeResourcesFit filters all the same: it was disabled at one point.
sed 's/name: p$/name: large/; s/name: c, /name: c, resources: {requests: {cpu: 9}}, /; s/{name: large}/{name: large}/; s/{name: p}/{name: large}/' pods.yaml >"$output/pods.yaml"
berth run --cluster ../cluster.yaml --pods "$output/pods.yaml" --config scheduler.yaml
waits large '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'

# Disabled in multiPoint, it is gone from all points.
sed 's/^      enabled:$/&/; 0,/^      enabled:$/s//      disabled: [{name: NodeResourcesFit}]\n      enabled:/' scheduler.yaml >"$output/scheduler.yaml"
berth run --cluster ../cluster.yaml --pods "$output/pods.yaml" --config "$output/scheduler.yaml"
runs large preferred imaged
