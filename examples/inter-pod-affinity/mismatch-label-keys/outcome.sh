berth run --cluster ../nodes.yaml cluster.yaml --pods pods.yaml
each 3 'ours-*' n3

# Label keys change a selector; without one they are refused.
grep -v 'labelSelector: {}' pods.yaml >"$output/pods.yaml"
rejecting run --cluster ../nodes.yaml cluster.yaml --pods "$output/pods.yaml"
warns 'matchLabelKeys: Forbidden: must not be specified when labelSelector is not set'
