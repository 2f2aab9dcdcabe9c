berth run --cluster cluster.yaml --pods pods.yaml
runs boxed exact
berth explain --cluster cluster.yaml --pod pods.yaml -o json
refuses NodeResourcesFit less-cpu less-memory

# Without the class, the containers alone count.
grep -v runtimeClassName pods.yaml >"$output/pods.yaml"
berth explain --cluster cluster.yaml --pod "$output/pods.yaml" -o json
fits exact less-cpu less-memory

# A pod that brings another overhead than its class is refused, and so is one of an unknown class.
sed 's/^  runtimeClassName.*/&\n  overhead: {cpu: 1}/' pods.yaml >"$output/pods.yaml"
rejecting run --cluster cluster.yaml --pods "$output/pods.yaml"
ends boxed rejected "Pod's Overhead doesn't match RuntimeClass's defined Overhead"
sed 's/microvm/nosuch/' pods.yaml >"$output/pods.yaml"
rejecting run --cluster cluster.yaml --pods "$output/pods.yaml"
ends boxed rejected 'RuntimeClass "nosuch" not found'
