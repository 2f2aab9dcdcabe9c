# The second scheduler leaves the others' pods alone.
berth run --cluster cluster.yaml --pods pods.yaml --config scheduler.yaml
runs name-second n1
for pod in no-name name-default unknown; do
  ends $pod ignored
done

# And the first one those of the second. Pods that name no scheduler are the default scheduler's; one
# whose scheduler does not run stays pending.
berth run --cluster cluster.yaml --pods pods.yaml
runs no-name n1
runs name-default n1
ends name-second ignored
ends unknown ignored
