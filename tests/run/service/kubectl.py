"""kubectl against an API server in memory: it creates, applies, shows, watches and deletes without a warning.

    kubectl.py BERTH APISERVER FOLDER
"""

import json
import os
import re
import shutil
import sys

from cluster import ApiServer, Kubectl

_, APISERVER, FOLDER = sys.argv[1:]

NODES = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n0, labels: {node-role.kubernetes.io/worker: ""}},
   status: {allocatable: {cpu: "4", memory: 1Gi, pods: "9"}, conditions: [{type: Ready, status: "True"}]}}
- {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 1Gi, pods: "9"}}}
"""

PODS = """
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: web}}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 500m}}}]}
---
apiVersion: v1
kind: Pod
metadata: {generateName: b-}
spec: {containers: [{name: c, image: i}], schedulingGates: [{name: g}]}
"""

OTHER = """
apiVersion: v1
kind: Namespace
metadata: {name: other}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 7
"""

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, labels: LABELS}
spec:
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: CONTAINERS}
"""


def lines(text):
    """Lines with one space between words, and ages left out."""
    return [re.sub(r" (\d+m)?\d+s(?= |$)", "", re.sub(r" +", " ", line).strip()) for line in text.splitlines()]


def deployment(labels, containers):
    return DEPLOYMENT.replace("LABELS", labels).replace("CONTAINERS", containers)


def creates(kubectl):
    assert kubectl("create", "-f", "-", text=NODES) == "node/n0 created\nnode/n1 created\n"
    made = kubectl("create", "-f", "-", text=PODS).splitlines()
    assert made[0] == "pod/a created" and re.fullmatch("pod/b-[a-z0-9]{5} created", made[1]), made
    assert kubectl("create", "-f", "-", text=OTHER) == \
        "namespace/other created\npriorityclass.scheduling.k8s.io/high created\n"


def applies(kubectl):
    """Three-way merges: of labels, and of containers by their names."""
    first = deployment("{x: '1', y: '1'}", "[{name: c, image: i}, {name: e, image: i}]")
    assert kubectl("apply", "-f", "-", text=first) == "deployment.apps/d created\n"
    assert kubectl("apply", "-f", "-", text=first) == "deployment.apps/d unchanged\n"
    kubectl("label", "deployment", "d", "own=1")
    second = deployment("{x: '2'}", "[{name: c, image: j}]")
    assert kubectl("apply", "-f", "-", text=second) == "deployment.apps/d configured\n"
    made = json.loads(kubectl("get", "deployment", "d", "-o", "json"))
    assert made["metadata"]["labels"] == {"x": "2", "own": "1"}, made
    assert made["spec"]["template"]["spec"]["containers"] == [{"name": "c", "image": "j"}], made
    assert made["metadata"]["generation"] == 2, made


def shows(kubectl, server):
    pods = lines(kubectl("get", "pods"))
    assert pods[0] == "NAME READY STATUS RESTARTS AGE" and pods[1] == "a 0/1 Pending 0", pods
    assert re.fullmatch("b-.{5} 0/1 SchedulingGated 0", pods[2]), pods
    server.create("/api/v1/namespaces/default/pods/a/binding",
                  {"metadata": {"name": "a"}, "target": {"kind": "Node", "name": "n0"}})
    wide = lines(kubectl("get", "pods", "-A", "-l", "app=web", "--field-selector", "spec.nodeName=n0", "-o", "wide"))
    assert wide[1:] == ["default a 0/1 Pending 0 <none> n0 <none>"], wide
    assert lines(kubectl("get", "nodes")) == ["NAME STATUS ROLES AGE VERSION", "n0 Ready worker", "n1 Unknown <none>"]
    assert lines(kubectl("get", "priorityclass", "high")) == ["NAME AGE", "high"]
    pod = lines(kubectl("describe", "pod", "a"))
    for line in ("Name: a", "Node: n0/", "Status: Pending", "cpu: 500m", "PodScheduled True", "Events: <none>"):
        assert line in pod, (line, pod)
    node = lines(kubectl("describe", "node", "n0"))
    for line in ("Roles: worker", "default a 500m (12%) 0 (0%) 0 (0%) 0 (0%)", "cpu 500m (12%) 0 (0%)"):
        assert line in node, (line, node)


def changes(kubectl):
    assert kubectl("taint", "node", "n1", "k=v:NoSchedule") == "node/n1 tainted\n"
    patch = '{"spec":{"taints":[{"key":"l","effect":"NoExecute"}]}}'
    node = json.loads(kubectl("patch", "node", "n1", "-p", patch, "-o", "json"))
    assert [taint["key"] for taint in node["spec"]["taints"]] == ["k", "l"], node


def watches(kubectl):
    """The watch goes on where the list ended, so nothing is missed."""
    process = kubectl.watch("get", "pods", "-n", "other")
    one = "apiVersion: v1\nkind: Pod\nmetadata: {name: w, namespace: other}\nspec: {containers: [{name: c, image: i}]}"
    kubectl("create", "-f", "-", text=one)
    assert lines(process.stdout.readline()) == ["NAME READY STATUS RESTARTS AGE"]
    assert lines(process.stdout.readline()) == ["w 0/1 Pending 0"]
    assert kubectl("delete", "pod", "w", "-n", "other") == 'pod "w" deleted from other namespace\n'
    assert lines(process.stdout.readline()) == ["w 0/1 Pending 0"]
    process.kill()
    process.communicate()


def deletes(kubectl):
    drained = kubectl("drain", "n0", "--force", warning="Warning: deleting Pods that declare no controller: default/a\n")
    assert drained == "node/n0 cordoned\nevicting pod default/a\npod/a evicted\nnode/n0 drained\n", drained
    assert kubectl("delete", "-f", "-", text=deployment("{}", "[]")) == \
        'deployment.apps "d" deleted from default namespace\n'
    assert kubectl("delete", "namespace", "other") == 'namespace "other" deleted\n'
    assert "not found" in kubectl.refused("get", "pod", "a")


shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
apiserver = ApiServer(APISERVER, FOLDER)
client = Kubectl(apiserver, FOLDER)
creates(client)
applies(client)
shows(client, apiserver)
changes(client)
watches(client)
deletes(client)
apiserver.end()
