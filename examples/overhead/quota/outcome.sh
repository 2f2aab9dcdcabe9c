# A quota counts the overhead: 2000m of the containers and 250m.
rejecting run --cluster cluster.yaml --pods pods.yaml
ends boxed rejected 'exceeded quota: two-cores, requested: requests.cpu=2250m, used: requests.cpu=0, limited: requests.cpu=2100m'
grep -v runtimeClassName pods.yaml >"$output/pods.yaml"
berth run --cluster cluster.yaml --pods "$output/pods.yaml"
runs boxed n1
