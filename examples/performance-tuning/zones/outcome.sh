# Nodes are looked at zone by zone in turn. All are equal here, so results name them in this order,
# behind the one that the pod runs on.
berth run --cluster cluster.yaml --pods pods.yaml --tie-break name
order=$(grep -o '"node":"[^"]*","total"' "$output/results.jsonl" | sed 's/"node":"node\(.\).*/\1/' | tr -d '\n')
[[ $order == 152634 ]] || fail "the order is $order"
runs p node1
