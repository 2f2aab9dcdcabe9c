# The first eviction is allowed, the second one would leave one pod.
berth run --cluster cluster.yaml --pods watch.jsonl
runs later n1
eviction a 201
eviction b 429 "The disruption budget web does not allow evicting pods currently"
