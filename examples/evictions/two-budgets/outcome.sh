# The eviction API does not serve such pods, and a drain of their node fails.
berth run --cluster cluster.yaml --pods watch.jsonl
runs later n1
eviction a 500 "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
berth run --cluster cluster.yaml --pods drain.jsonl
drain n1 drain_failed '"left":[{"pod":"default/a","message":"error when evicting pods/' 'more than one PodDisruptionBudget'
# A pod without a controller is in the way of a drain without --force.
berth run --cluster cluster.yaml --pods careful.jsonl
drain n1 drain_refused 'cannot delete Pods that declare no controller (use --force to override): default/a'
# An Eviction of a file happens at the beginning.
berth run --cluster cluster.yaml --pods eviction.yaml
eviction a 500
