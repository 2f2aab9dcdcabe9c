# A third pod in zone a would make the skew 2; either node of zone b will do.
berth run --cluster ../nodes.yaml ../placed.yaml --pods pods.yaml
runs mypod node3 node4
berth explain --cluster ../nodes.yaml ../placed.yaml --pod pods.yaml -o json
refuses PodTopologySpread node1 node2
fits node3 node4

# With a skew of 2, zone a is not excluded.
sed 's/maxSkew: 1/maxSkew: 2/' pods.yaml >"$output/pods.yaml"
berth explain --cluster ../nodes.yaml ../placed.yaml --pod "$output/pods.yaml" -o json
fits node1 node2 node3 node4
