# The eviction API does not serve such pods.
berth run --cluster cluster.yaml --pods watch.jsonl
runs later n1
eviction a 500 "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
