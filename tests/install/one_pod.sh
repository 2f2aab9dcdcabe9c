# Sourced by tests of the installation: the smallest input that a program can schedule.

# Writes cluster.yaml with one node, and pods.yaml with one pod, to the current folder.
write_one_pod() {
cat >cluster.yaml <<'END'
apiVersion: v1
kind: Node
metadata: {name: only}
status: {allocatable: {cpu: "4", pods: "110"}}
END
cat >pods.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: first}
spec: {containers: [{name: c}]}
END
}
