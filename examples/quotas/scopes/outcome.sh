rejecting run --cluster cluster.yaml --pods pods.yaml
runs best-effort-1 n1
ends best-effort-2 rejected 'exceeded quota: one-best-effort, requested: pods=1, used: pods=1, limited: pods=1'
runs burstable n1
ends with-deadline rejected 'exceeded quota: no-deadlines, requested: pods=1, used: pods=0, limited: pods=0'
ends across rejected 'exceeded quota: own-namespace, requested: pods=1, used: pods=0, limited: pods=0'
