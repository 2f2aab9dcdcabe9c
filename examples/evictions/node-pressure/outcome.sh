# 512Mi are left. One pod is not enough: 1312Mi are above the threshold, and 500Mi more have to be reclaimed.
berth run --cluster cluster.yaml --pods watch.jsonl --events "$output/events.jsonl"
disrupted leaky 'TerminationByKubelet: The node was low on resource: memory. Threshold quantity: 1Gi, available: 512Mi. Container c was using 800Mi, request is 200Mi, has larger consumption of memory. '
disrupted growing 'TerminationByKubelet: The node was low on resource: memory. Threshold quantity: 1Gi, available: 1312Mi. Container c was using 1400Mi, request is 1Gi, has larger consumption of memory. '
runs steady n1
disrupted steady ''
cp "$output/events.jsonl" "$output/page"
says '"reason":"EvictionThresholdMet"'
says '"annotations":{"offending_containers":"c","offending_containers_usage":"800Mi","starved_resource":"memory"}'
says '"note":"Node n1 status is now: NodeHasInsufficientMemory"'
says '"note":"Node n1 status is now: NodeHasSufficientMemory"'
