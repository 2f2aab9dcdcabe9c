berth run --cluster cluster.yaml --pods pods.yaml
recorded_as scheduling-gates
ends p gated 'waiting for scheduling gates: [example.com/foo example.com/bar]'

# A watch tells that the gates are removed, one after the other.
berth run --cluster cluster.yaml --pods ready.jsonl
runs p n1

# While it is gated, a controller may narrow down where the pod is to run.
berth run --cluster cluster.yaml --pods tightened.jsonl
runs p n2
