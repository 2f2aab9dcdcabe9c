# placed VERSION SCHEDULER NODE: where the pod runs with the configuration as it is, and converted to v1.
placed() {
  sed "s/^spec:/&\n  schedulerName: $2/" pods.yaml >"$output/pods.yaml"
  berth run --cluster cluster.yaml --pods "$output/pods.yaml" --config "$1.yaml"
  runs p "$3"
  berth config convert "$1.yaml"
  says 'apiVersion: kubescheduler.config.k8s.io/v1'
  cp "$output/page" "$output/converted.yaml"
  berth run --cluster cluster.yaml --pods "$output/pods.yaml" --config "$output/converted.yaml"
  runs p "$3"
}
# In v1beta2 the preference weighs as much as the room on a node, since v1beta3 twice as much.
placed v1beta2 default-scheduler emptier
scores p weight NodeAffinity=1 TaintToleration=1 NodeResourcesFit=1
placed v1beta3 default-scheduler preferred
scores p weight NodeAffinity=2 TaintToleration=3 NodeResourcesFit=1
placed v1 default-scheduler preferred
scores p weight NodeAffinity=2 TaintToleration=3 NodeResourcesFit=1
# What the profile says holds in each version.
for version in v1beta2 v1beta3 v1; do
  placed $version images-first emptier
  scores p weight ImageLocality=10
done

# Versions that v1.34.1 does not read.
sed 's/v1beta2$/v1beta1/' v1beta2.yaml >"$output/v1beta1.yaml"
rejecting config validate "$output/v1beta1.yaml"
warns 'is not read: the last kube-scheduler that read it was v1.22'
