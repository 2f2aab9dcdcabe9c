# The first constraint leaves zone b, the second the nodes without a pod of the group.
berth run --cluster ../nodes.yaml ../placed.yaml --pods pods.yaml
runs mypod node4
berth explain --cluster ../nodes.yaml ../placed.yaml --pod pods.yaml -o json
refuses PodTopologySpread node1 node2 node3
