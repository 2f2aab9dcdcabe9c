# By zones the pod has to go to node3, by nodes to node2: it stays pending.
berth run --cluster cluster.yaml --pods pods.yaml
recorded_as spread-conflicting
waits mypod "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."

# With a larger skew, or a constraint that is soft, it runs.
sed 's/maxSkew: 1/maxSkew: 2/' pods.yaml >"$output/pods.yaml"
berth run --cluster cluster.yaml --pods "$output/pods.yaml"
runs mypod node2 node3
sed '0,/DoNotSchedule/s//ScheduleAnyway/' pods.yaml >"$output/pods.yaml"
berth run --cluster cluster.yaml --pods "$output/pods.yaml"
runs mypod node2
