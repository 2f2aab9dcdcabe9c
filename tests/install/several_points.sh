# Sourced by the tests of `berth plugin new`: combinations of extension points.

# The points that the program knows.
known_points() { "$1" plugin new --help | sed -nE 's/^.*implements \(filter\): (.*); can .*/\1/p' | tr -d ','; }

# What a combination's plugin is called, and its points. The last two have all points between them:
# hints and overlay-state come with two different Filters.
declare -A several=(
  [FilterScore]=filter,score
  [Queue]=pre-enqueue,queue-sort
  [Slots]=reserve,permit,post-bind
  [Narrow]=pre-filter,filter,post-filter
  [WithHints]=pre-enqueue,queue-sort,hints,pre-filter,filter,post-filter,pre-score,score,reserve,permit,pre-bind,bind,post-bind
  [WithOverlay]=pre-enqueue,queue-sort,pre-filter,post-filter,score,reserve,permit,pre-bind,bind,post-bind,overlay-state
)

# Fails unless the test of a project with several hooks fails without the plugin, in a case and in the
# configuration of the whole, and unless its PreFilter leaves its Filter in force. What each case
# expects is that of a project with one hook, which needs the plugin.
#   expect_several_hooks BERTH FOLDER_OF_THE_PROJECT FOLDER_OF_THE_PLUGIN
expect_several_hooks() {
  local case=$2/cases/filter cases=("$2"/cases/*)
  if [[ -e $2/cases/pre-filter && -e $case ]]; then
    expect 0 '' "$1" run --plugins "$3" --config "$2/scheduler.yaml" --cluster "$case/cluster.yaml" \
      --pods "$case/pods.yaml" --tie-break name --bindings "$2/bindings.jsonl"
    diff "$case/expected.jsonl" "$2/bindings.jsonl" || fail "$2: the PreFilter skips the Filter"
  fi
  cp "$2/scheduler.yaml" "$2/scheduler.yaml.kept"
  sed -i 's/- name: Mine/- name: OtherMine/' "$2/scheduler.yaml"
  expect 1 "${cases[0]#"$2/"} with scheduler.yaml" sh "$2/test.sh" "$1" "$3"
  cp "$2/scheduler.yaml.kept" "$2/scheduler.yaml"
  sed -i '/^profiles:/,$d' "${cases[0]}/scheduler.yaml"
  expect 1 "of ${cases[0]#"$2/"}" sh "$2/test.sh" "$1" "$3"
}
