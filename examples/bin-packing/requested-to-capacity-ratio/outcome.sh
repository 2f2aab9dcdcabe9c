# The page counts from 0 to 10: 7 accelerators, 5 memory and 3 processors make (7*5 + 5*1 + 3*3) / 9 = 5
# for node1, and (5*5 + 7*1 + 10*3) / 9 = 7 for node2. v1.34.1 counts in hundredths:
#   node1: (75*5 + 50*1 + 37*3) / 9 = 60      node2: (50*5 + 75*1 + 100*3) / 9 = 69
berth run --cluster cluster.yaml --pods pods.yaml --config scheduler.yaml
scores p NodeResourcesFit node1=60 node2=69
berth explain --cluster cluster.yaml --pod pods.yaml --config scheduler.yaml -o json
gives NodeResourcesFit node1=60 node2=69

# The plugin alone.
berth run --cluster cluster.yaml --pods pods.yaml --config alone.yaml
recorded_as requested-to-capacity-ratio-worked-example
scores p total node1=60 node2=69
runs p node2

# The other way round, the emptier node should be better: (25*5 + 50*1 + 63*3) / 9 = 40 for node1, and
# (50*5 + 25*1 + 0*3) / 9 = 31 for node2. But v1.34.1 leaves a resource whose score is 0 out of the
# divisor, too: (50*5 + 25*1) / 6 = 46, so the node whose processors are full wins.
sed 's/score: 0}/score: 99}/; s/score: 10}/score: 0}/; s/score: 99}/score: 10}/' alone.yaml >"$output/least.yaml"
berth run --cluster cluster.yaml --pods pods.yaml --config "$output/least.yaml"
scores p total node1=40 node2=46
runs p node2
