berth run --cluster cluster.yaml --pods pods.yaml
runs everything both one
runs any-effect one
runs default-operator one
ends other-effect unschedulable
ends other-value unschedulable
