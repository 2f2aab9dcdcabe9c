# One pod may go at once. When two others run on n2, which the ReplicaSet would create, the rest may
# go: they are asked for again after five seconds, and terminate for thirty.
berth run --cluster cluster.yaml --pods watch.jsonl
runs '[de]' n2
drain n1 drained '"evicted":["default/a","default/b","default/c"]' '"began_seconds":0.0,"ended_seconds":35.0'
warns '(will retry after 5s): Cannot evict pod as it would violate the pod'
# Without them two pods stay, and the drain gives up after a minute.
berth run --cluster cluster.yaml --pods alone.jsonl
drain n1 drain_failed '"evicted":["default/a"]' '"left":[{"pod":"default/b",' 'global timeout reached: 1m0s'
warns 'node n1 is not drained: [error when evicting pods/'
