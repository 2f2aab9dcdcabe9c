# nodes COUNT: a cluster of so many nodes, as JSON lines.
nodes() {
  seq "$1" | sed 's/.*/{"apiVersion":"v1","kind":"Node","metadata":{"name":"n&"},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}}/'
}
for count in 50 100 200 1000 5000; do
  nodes $count >"$output/$count.json"
done

# Half of the nodes; of 100 and fewer all, since 100 are the least that the search stops at.
for cluster in 50:50 200:100 1000:500; do
  berth run --cluster "$output/${cluster%:*}.json" --pods pods.yaml --config scheduler.yaml
  searched p "${cluster#*:}"
done

# Without a configuration a line through 50 % of 100 nodes and 10 % of 5,000 decides, but not under
# 100 nodes: 50 - 1000/125 = 42 %.
for cluster in 100:100 1000:420 5000:500; do
  berth run --cluster "$output/${cluster%:*}.json" --pods pods.yaml
  searched p "${cluster#*:}"
done
# 0 says the same.
sed 's/50$/0/' scheduler.yaml >"$output/scheduler.yaml"
berth run --cluster "$output/1000.json" --pods pods.yaml --config "$output/scheduler.yaml"
searched p 420
# What a configuration says may be less than the 5 % under which the line does not go.
sed 's/50$/3/' scheduler.yaml >"$output/scheduler.yaml"
berth run --cluster "$output/5000.json" --pods pods.yaml --config "$output/scheduler.yaml"
searched p 150

# More than 100 is as good as 100 in the page's words; v1.34.1 refuses it.
sed 's/50$/101/' scheduler.yaml >"$output/scheduler.yaml"
rejecting config validate "$output/scheduler.yaml"
warns 'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]'
