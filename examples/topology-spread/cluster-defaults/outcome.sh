berth run --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pods pods.yaml --config scheduler.yaml
runs with node3 node4
scores with PodTopologySpread node1=33 node2=33 node3=100 node4=100
unscored alone PodTopologySpread
unscored without PodTopologySpread

# A list and the built-in defaults exclude each other.
sed 's/defaultingType: List/defaultingType: System/' scheduler.yaml >"$output/scheduler.yaml"
rejecting config validate "$output/scheduler.yaml"
warns 'defaultingType: Invalid value: "System": when .defaultConstraints are not empty'
