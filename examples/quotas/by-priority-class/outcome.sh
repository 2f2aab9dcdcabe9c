rejecting run --cluster cluster.yaml --pods pods.yaml
runs team/high n1
ends team/low rejected 'exceeded quota: pods-low, requested: cpu=6, used: cpu=0, limited: cpu=5'
runs team/neither n1
