# The pods of the new version are spread among themselves.
berth run --cluster ../nodes.yaml cluster.yaml --pods pods.yaml
each 1 'next-*' node1 node2 node3 node4

# Without the key those of the former one count, too, and node1 gets no pod.
grep -v matchLabelKeys pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml cluster.yaml --pods "$output/pods.yaml"
runs 'next-*' node2 node3 node4

# It is a hard rule: pods that may only run on one of the nodes get no further than a skew of 1.
sed 's/replicas: 4/replicas: 8/; s/^        labelSelector/        nodeAffinityPolicy: Ignore\n&/; s/^      containers:/      nodeSelector: {kubernetes.io\/hostname: node2}\n&/' pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml cluster.yaml --pods "$output/pods.yaml"
number 1 'next-*' scheduled
number 7 'next-*' unschedulable
