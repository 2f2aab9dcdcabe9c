berth run --cluster cluster.yaml --pods pods.yaml
runs weighing heavy
# 1 of 50 and 50 of 50, as parts of 100.
scores weighing NodeAffinity light=2 heavy=100
# And twice in the total: the other plugins give both nodes 397.
scores weighing weight NodeAffinity=2
scores weighing total light=401 heavy=597
