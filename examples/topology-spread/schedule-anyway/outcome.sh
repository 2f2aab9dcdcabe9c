# No node is excluded, and the zone with fewer pods is better.
berth run --cluster ../nodes.yaml ../placed.yaml --pods pods.yaml
runs mypod node3 node4
scores mypod PodTopologySpread node1=33 node2=33 node3=100 node4=100

# If the nodes of zone b are full, the pod runs in zone a; with a hard constraint it waits.
sed '/name: node[34]$/,/allocatable/s/pods: "110"/pods: "1"/' ../nodes.yaml |
  sed '/name: node4$/,/allocatable/s/pods: "1"/pods: "0"/' >"$output/nodes.yaml"
berth run --cluster "$output/nodes.yaml" ../placed.yaml --pods pods.yaml
runs mypod node1 node2
berth run --cluster "$output/nodes.yaml" ../placed.yaml --pods ../one-constraint/pods.yaml
waits mypod "0/4 nodes are available: 2 Too many pods, 2 node(s) didn't match pod topology spread constraints. no new claims to deallocate, preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod."
