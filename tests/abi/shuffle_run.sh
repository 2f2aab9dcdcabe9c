# Sourced by the scripts that run the plugin Shuffle, behind expect.sh:
#   write_config
# writes config.yaml, by which Shuffle alone decides between nodes. Then
#   run_shuffle PLUGINS NAME OPTION...
# runs nodes.jsonl and pods.jsonl with the plugins of the folder PLUGINS, and keeps the bindings as
# NAME.jsonl and the summary as NAME.json.

write_config() {
  cat >config.yaml <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
profiles:
- plugins: {score: {enabled: [{name: Shuffle, weight: 100}]}}
END
}

run_shuffle() {
  local plugins=$1 name=$2
  shift 2
  expect 0 'shuffle_scores_total' "$berth" run --cluster nodes.jsonl --pods pods.jsonl \
    --config config.yaml --plugins "$plugins" --bindings "$name.jsonl" --summary "$name.json" "$@"
}
