berth run --cluster cluster.yaml --pods pods.yaml
runs stranger n2
scores stranger TaintToleration n1=0 n2=100
scores member TaintToleration n1=100 n2=100

# Where there is no other node, the taint keeps nobody away.
sed '/^---$/,$d' cluster.yaml >"$output/cluster.yaml"
berth run --cluster "$output/cluster.yaml" --pods pods.yaml
runs stranger n1
