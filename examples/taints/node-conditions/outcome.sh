berth run --cluster cluster.yaml --pods pods.yaml
each 1 'agent-*' pressed full cordoned
runs burstable pressed
ends best-effort unschedulable
