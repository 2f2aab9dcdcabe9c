# There are two zones and three are wanted: the minimum is taken to be 0, and each zone has more.
berth run --cluster ../nodes.yaml ../placed.yaml --pods pods.yaml
recorded_as spread-min-domains
waits mypod "0/4 nodes are available: 4 node(s) didn't match pod topology spread constraints. no new claims to deallocate, preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod."

# With a node in a third zone the pod runs there; two zones are enough if two are wanted.
berth run --cluster ../nodes.yaml ../placed.yaml third-zone.yaml --pods pods.yaml
runs mypod node5
sed 's/minDomains: 3/minDomains: 2/' pods.yaml >"$output/pods.yaml"
berth run --cluster ../nodes.yaml ../placed.yaml --pods "$output/pods.yaml"
runs mypod node3 node4

# A soft constraint has no minimum.
sed 's/DoNotSchedule/ScheduleAnyway/' pods.yaml >"$output/pods.yaml"
rejecting run --cluster ../nodes.yaml ../placed.yaml --pods "$output/pods.yaml"
ends mypod rejected 'minDomains: Invalid value: 3: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway'
