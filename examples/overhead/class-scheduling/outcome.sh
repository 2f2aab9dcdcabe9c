rejecting run --cluster cluster.yaml --pods pods.yaml
runs boxed special
runs plain ordinary
ends at-odds rejected 'conflict: runtimeClass.scheduling.nodeSelector[runtime] = microvm; pod.spec.nodeSelector[runtime] = other'
