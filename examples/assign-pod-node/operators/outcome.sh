berth run --cluster ../nodes.yaml --pods pods.yaml
runs in south
runs not-in west         # also a node without the label
runs exists north south
runs does-not-exist west
runs gt south            # numbers are compared, not texts
runs lt north
