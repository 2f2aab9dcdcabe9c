rejecting run --cluster cluster.yaml --pods pods.yaml
runs within n1
ends too-many rejected 'maximum cpu usage per Pod is 2, but limit is 2500m'
ends too-wide rejected 'memory max limit to request ratio per Container is 2, but provided ratio is 3.000000'
