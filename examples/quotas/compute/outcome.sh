rejecting run --cluster cluster.yaml --pods pods.yaml
runs team/first n1
ends team/too-much rejected 'pods "too-much" is forbidden: exceeded quota: compute, requested: requests.memory=700Mi, used: requests.memory=600Mi, limited: requests.memory=1Gi'
# A quota of cpu or memory makes pods say what they need.
ends team/silent rejected 'pods "silent" is forbidden: failed quota: compute: must specify limits.cpu for: c; limits.memory for: c'
# What was refused does not count.
runs team/third n1
# Another namespace has no quota.
runs elsewhere n1

# An API server knows what is used already.
sed '/^  hard:/,/^---/s/^---$/status:\n  hard: {requests.cpu: "1", requests.memory: 1Gi, limits.cpu: "2", limits.memory: 2Gi}\n  used: {requests.cpu: 700m, requests.memory: 0, limits.cpu: "1", limits.memory: 0}\n---/' cluster.yaml >"$output/cluster.yaml"
rejecting run --cluster "$output/cluster.yaml" --pods pods.yaml
ends team/first rejected 'exceeded quota: compute, requested: requests.cpu=400m, used: requests.cpu=700m, limited: requests.cpu=1'
