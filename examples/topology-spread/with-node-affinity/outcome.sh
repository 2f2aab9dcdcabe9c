# The empty zone c does not count, because the pod may not run there: zone b has the fewest.
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods pods.yaml
runs mypod node3 node4
berth explain --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pod pods.yaml -o json
refuses PodTopologySpread node1 node2
refuses NodeAffinity node5

# Without the affinity it counts, and is the only zone in which the skew stays 1.
sed '/affinity:/,/operator:/d' pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods "$output/pods.yaml"
runs mypod node5
