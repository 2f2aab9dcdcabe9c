# Pods get tolerations of NoExecute for not-ready and unreachable nodes, so they may be bound to one.
berth run --cluster cluster.yaml --pods pods.yaml
runs given n1
runs own n1

# Nobody adds them without admission.
berth run --cluster cluster.yaml --pods pods.yaml --admission off
waits given "0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
runs own n1

# A pod's own toleration stays, and the other one is added.
berth convert pods.yaml --output "$output/pods.jsonl"
cp "$output/pods.jsonl" "$output/page"
says '"spec":{"priority":0,"preemptionPolicy":"PreemptLowerPriority","tolerations":[{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":6000},{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]'
