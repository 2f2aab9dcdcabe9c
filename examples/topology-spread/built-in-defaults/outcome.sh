# Hosts with a skew of 3 and zones with one of 5, both soft: the pods are spread all the same.
berth config defaults
says 'defaultingType: System'
berth run --cluster ../nodes.yaml --pods pods.yaml
each 1 'web-*' node1 node2 node3 node4

# The defaults say the same as these constraints.
berth run --cluster ../nodes.yaml ../placed.yaml service.yaml --pods pod.yaml
cp "$output/results.jsonl" "$output/defaults.jsonl"
berth run --cluster ../nodes.yaml ../placed.yaml service.yaml --pods pod.yaml --config scheduler.yaml
cmp "$output/results.jsonl" "$output/defaults.jsonl" || fail "the written defaults decide otherwise"
scores mypod PodTopologySpread node1=63 node3=81 node4=100
