berth run --cluster ../cluster.yaml --pods pods.yaml --config scheduler.yaml
runs usual preferred
scores usual NodeAffinity preferred=100 imaged=0
runs unscored preferred imaged
unscored unscored NodeAffinity NodeResourcesFit ImageLocality TaintToleration PodTopologySpread

# All profiles sort the queue alike, and no two have one name.
sed 's/^    score:/    queueSort:\n      disabled: [{name: "*"}]\n      enabled: [{name: Coscheduling}]\n&/' scheduler.yaml >"$output/sort.yaml"
rejecting config validate "$output/sort.yaml"
warns "profiles[1].plugins.queueSort: Invalid value"
sed 's/no-scoring/default/' scheduler.yaml >"$output/twice.yaml"
rejecting config validate "$output/twice.yaml"
warns 'profiles[1].schedulerName: Duplicate value: "default-scheduler"'
