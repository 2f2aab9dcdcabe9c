# Sourced by tests that bind one load in several ways, each of which must choose the same nodes.

# run_as NAME OPTION...: binds the pods of the cluster's file $cluster, and keeps the bindings.
run_as() {
  local name=$1
  shift
  "$berth" run --cluster "$cluster" --bindings "$name.jsonl" --seed 5 "$@" >"$name.page"
}
# same NAME...: these runs bound as the run `alone` did, more than 500 pods.
same() {
  local name bound
  for name in "$@"; do
    cmp alone.jsonl "$name.jsonl"
  done
  bound=$(wc -l <alone.jsonl)
  echo "$bound pods were bound"
  ((bound > 500))
}
