"""kube-scheduler against an API server in memory, and `berth serve` in its place: both bind the same pods and tell
the same of one that fits nowhere, as kubectl describes it.

    kube_scheduler.py BERTH APISERVER FOLDER
"""

import os
import re
import shutil
import signal
import sys

from cluster import ApiServer, Kubectl, Scheduler, check_nodes, condition, node_of, real_binary, wait_for

BERTH, APISERVER, FOLDER = sys.argv[1:]

NODES, PODS = 20, 100


def normal(text):
    """A description without the names of nodes and without times."""
    text = re.sub(r"\bn\d+\b", "NODE", text)
    text = re.sub(r"(Start Time:).*", r"\1", text)
    return re.sub(r" +", " ", re.sub(r"\b\d+s\b", "AGE", text))


def told(server):
    return [e for e in server.items("/api/v1/events") if e["reason"] in ("Scheduled", "FailedScheduling")]


def described(folder, start):
    """What kubectl describes of a pod that is bound and of one that is not. `start` starts a scheduler."""
    os.makedirs(folder)
    server = ApiServer(APISERVER, folder)
    kubectl = Kubectl(server, folder)
    for i in range(NODES):
        server.add_node(f"n{i}", 8)
    names = [f"p{i}" for i in range(PODS)]
    for name in names[:PODS // 2]:
        server.add_pod(name)
    scheduler = start(server, folder)
    for name in names[PODS // 2:]:
        server.add_pod(name)
    wait_for("bindings", lambda: all(node_of(pod) for pod in server.pods().values()))
    server.add_pod("large", "9")
    wait_for("a condition", lambda: condition(server.pods()["large"], "PodScheduled"))
    wait_for("events", lambda: len(told(server)) == PODS + 1)
    check_nodes(server)
    # Of one pod kubectl shows the events, of several it does not.
    text = kubectl("describe", "pod", "p0") + kubectl("describe", "pod", "large")
    messages = scheduler.text()
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    server.end()
    return text, messages


def kube_scheduler(server, folder):
    return Scheduler(real_binary("kube-scheduler"), server, folder, "messages", "--secure-port=0",
                     "--kube-api-content-type=application/json", "--kube-api-qps=1000", "--kube-api-burst=1000",
                     command=())


def berth(server, folder):
    return Scheduler(BERTH, server, folder, "messages", "--secure-port=0", "--kube-api-qps=-1")


real_binary("kubectl")
real_binary("kube-scheduler")
shutil.rmtree(FOLDER, ignore_errors=True)
wanted, messages = described(os.path.join(FOLDER, "kube-scheduler"), kube_scheduler)
# kube-scheduler says so with every server, if it has no manifest of metrics.
errors = [line for line in messages.splitlines()
          if re.search(r"\b[EF]\d{4} |error", line) and "The manifest file is empty" not in line]
assert "Successfully acquired lease" in messages and not errors, messages
for line in ("Successfully assigned default/p0 to NODE", "FailedScheduling", "0/20 nodes are available"):
    assert line in normal(wanted), (line, wanted)
found, _ = described(os.path.join(FOLDER, "berth"), berth)
assert normal(found) == normal(wanted), f"kube-scheduler:\n{wanted}\nberth:\n{found}"
