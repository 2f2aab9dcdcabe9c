#!/bin/bash
# Builds slots.rs against the crate, and runs it: `berth run`, `explain`, `plugin check`, arguments,
# failures and panics.
#   plugin.sh BERTH ROOT FOLDER
# Exits with status 77 where there is no cargo.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/cargo.sh"
source "$here/../../run/expect.sh"

berth=$1 root=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
need_cargo "$folder"
build_plugin "$here/slots.rs" "$root" "$folder"

exported=$(nm --dynamic --defined-only --format=just-symbols plugins/slots.so | tr '\n' ' ')
[[ $exported == 'berth_plugin_entry_v1 ' ]] || fail "it exports $exported"
expect 0 'Version:           2.3.4' "$berth" plugin describe plugins/slots.so
cat >arguments.yaml <<'END'
resource: example.com/slots
spare: 1
END
expect 0 ' 0 failed' "$berth" plugin check plugins/slots.so --arguments arguments.yaml
expect 0 ' 0 failed' "$berth" plugin check plugins/slots.so

# node NAME SLOTS, pod NAME SLOTS
node() {
  printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"%s}}\n' \
    "$1" "${2:+, example.com/slots: \"$2\"}"
}
pod() {
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s%s}\nspec: {containers: [{name: main, image: "a:b"%s}]}\n' \
    "$1" "${2:+, labels: {example.com/slots: \"$2\"\}}" "${3:+, ports: [{containerPort: $3, hostPort: $3\}]}"
}
{ node big 9 && node small 3 && node none; } >cluster.yaml
config() {
  cat <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {multiPoint: {enabled: [{name: Slots, weight: 50}]}}
  pluginConfig:
  - name: Slots
    args: $1
END
}
config '{spare: 1}' >scheduler.yaml
run=("$berth" run --plugins plugins --cluster cluster.yaml --config scheduler.yaml --tie-break name
  --verify-evaluation 1 --pods pods.yaml)
# The first pod takes the small node, and its host port a slot there; so the next goes to the big one.
{ pod first 2 80 && pod second 2 && pod third 8 && pod lost 20 && pod many many && pod broken x; } >pods.yaml
status=0
"${run[@]}" --bindings bindings.jsonl --results results.jsonl >page 2>err || status=$?
[[ $status == 1 ]] || fail "exit status $status: $(cat err)"
printf '{"namespace":"default","name":"%s","node":"%s"}\n' first small second big third big |
  diff - bindings.jsonl || fail "other bindings (>)"
# expect_in FILE TEXT
expect_in() {
  grep -qF -- "$2" "$1" || fail "no \"$2\" in $(cat "$1")"
  ((checked += 1))
}
expect_in results.jsonl '2 node(s) had too few slots'
expect_in results.jsonl '1 node(s) had no slots, of 20 wanted'
expect_in results.jsonl 'the label example.com/slots is no number: many'
expect_in results.jsonl 'panicked at src/lib.rs:'
expect_in results.jsonl 'a number of slots: ParseIntError'
! grep -q 'RUST_BACKTRACE' err || fail "a panic is printed: $(cat err)"

pod wanted 5 >pod.yaml
expect 0 'too few slots' "$berth" explain --plugins plugins --cluster cluster.yaml --config scheduler.yaml --pod pod.yaml -o wide
expect_in out 'free'
expect_in out 'wanted'

# Arguments: all errors at once, with their places.
config '{resource: "", spare: -1, unknown: 2}' >scheduler.yaml
expect 1 'must be from 0 to 1000' "${run[@]}"
expect_in err 'must name a resource'
expect_in err 'unknown'
config '{resource: [1]}' >scheduler.yaml
expect 1 'must be a string' "${run[@]}"

echo "$checked checks"
