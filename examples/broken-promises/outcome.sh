# broken WORD ARGS...: the promise is not kept, and the word says so.
broken() {
  if ("$@") >"$output/noticed" 2>&1; then
    fail "not noticed: $*"
  fi
  ((kept += 1))
}
broken berth run --cluster nowhere.yaml --pods pods.yaml
broken rejecting run --cluster cluster.yaml --pods pods.yaml

berth run --cluster cluster.yaml --pods pods.yaml
runs web-1 n1 n2
broken runs web-1 n3
broken runs huge n1 n2
broken runs nobody n1
each 1 evicting n1
broken each 1 evicting n2
broken each 2 evicting n1
broken each 1 evicting n1 n2
broken number 2 evicting
broken number 1 huge scheduled
broken ends huge scheduled
broken ends huge unschedulable 'Insufficient memory'
broken waits evicting ''
broken waits huge '0/2 nodes are available: 2 Insufficient memory.'
first_fails huge '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'
broken first_fails huge '0/2 nodes are available: 2 Insufficient cpu.'
broken first_fails web-1 ''
broken evicts evicting web-1
broken evicts evicting low web-1
broken evicts_nobody evicting

broken scores huge TaintToleration n1=0
broken says 'no such text'
broken warns 'no such text'
broken searched web-1 1
broken drain n1 drained
broken happens 0 'no such text'
searched web-1 2

scores web-1 TaintToleration n1=100 n2=100
scores web-1 weight TaintToleration=3
broken scores web-1 TaintToleration n1=99
broken scores web-1 NodeAffinity n1=0
broken scores web-1 total n1=0
broken scores web-1 weight TaintToleration=2
broken scores web-1 weight NodeName=1
broken unscored web-1 NodeResourcesFit

# The recorded answer is that of other objects: its node and its victim are called the same, no more.
recorded_as preemption-lowest-priority-victims
runs evicting n1
evicts evicting low
broken runs web-1 n2
broken first_fails huge "$(grep -m 1 -o 'err="[^"]*' "$output/log")"
broken waits huge '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'
broken recorded_as no-such-case

# one POD: the pod alone in a file, for explain.
one() { sed -n "/name: $1/,/^---/p" pods.yaml | sed "1i apiVersion: v1\nkind: Pod" | sed "/^---/d"; }
one huge >"$output/huge.yaml"
one web-1 >"$output/web.yaml"
berth explain --cluster cluster.yaml --pod "$output/huge.yaml" -o json
refuses NodeResourcesFit n1 n2
broken refuses NodeAffinity n1
broken refuses NodeResourcesFit n3
broken fits n1

berth explain --cluster cluster.yaml --pod "$output/web.yaml" -o json
gives NodeResourcesFit n1=47
broken gives NodeResourcesFit n1=48
broken gives NodeAffinity n1=0
broken gives NodeResourcesFit n3=50
