# While its victim ends, the pod is nominated to the node, and evicts nobody else. Then it is bound.
berth run --cluster cluster.yaml --pods pods.yaml
evicts pressing slow
says 'nominated to a node     1'
warns 'preemption: not eligible due to a terminating pod on the nominated node.'
runs pressing n1
