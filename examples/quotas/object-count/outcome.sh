# Two of the three pods that the Deployment's controller creates are accepted.
rejecting run --cluster cluster.yaml --pods pods.yaml
number 2 'team/web-*' scheduled
number 1 'team/web-*' rejected
warns 'is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2'
