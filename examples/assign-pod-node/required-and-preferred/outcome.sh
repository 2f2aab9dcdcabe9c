berth run --cluster ../nodes.yaml --pods pods.yaml
runs both north
scores both NodeAffinity north=100 west=0
runs required-alone south
