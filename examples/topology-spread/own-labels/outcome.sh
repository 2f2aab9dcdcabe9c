# The pod lacks the label that its constraint counts, so it adds to no zone: it may go to zone a, too,
# which a pod with the label may not. Nodes without a zone are left out.
berth explain --cluster ../nodes.yaml ../placed.yaml cluster.yaml --pod pods.yaml -o json
fits node1 node2 node3 node4
refuses PodTopologySpread node5
says "node(s) didn't match pod topology spread constraints (missing required label)"
