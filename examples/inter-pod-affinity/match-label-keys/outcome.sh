berth run --cluster ../nodes.yaml cluster.yaml --pods pods.yaml
each 1 'api-*' n1 n2 n3

# Without the key, the former version's pods count: two of the new ones have to wait for them.
grep -v matchLabelKeys pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml cluster.yaml --pods "$output/pods.yaml"
number 1 'api-*' scheduled
number 2 'api-*' unschedulable
