"""One history of nodes and pods through kube-scheduler and through Berth.

Its counts do not depend on which of several nodes a pod gets, and neither do the words about pods that fit nowhere.
"""

import signal
import time

from cluster import Load, Program, Scheduler, condition, node_of, real_binary, wait_for
from real_cluster import FIRST, POD_PATH

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
OWN = [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}]


def on(pool):
    return {"nodeSelector": {"pool": pool}}


def app(name):
    return {"labelSelector": {"matchLabels": {"app": name}}}


def spread(name, key, unsatisfiable):
    return {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": unsatisfiable,
                                           **app(name)}]}


def near(kind, name, key):
    return {"affinity": {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": key, **app(name)}]}}}


# By the label `app`: how many pods, and what each is.
CLASSES = {
    "web": (40, "100m", spread("web", ZONE, "ScheduleAnyway")),
    "near": (5, "100m", near("podAffinity", "web", ZONE)),
    "even": (9, "100m", spread("even", ZONE, "DoNotSchedule")),
    "apart": (10, "1", {**near("podAntiAffinity", "apart", HOST), **on("small")}),
    "own": (12, "500m", {"tolerations": OWN, **on("own")}),
    "strict": (7, "1", {"tolerations": OWN, **on("own"), **spread("strict", HOST, "DoNotSchedule")}),
    "port": (8, "1", {**on("big"), "container": {"ports": [{"containerPort": 80, "hostPort": 8080}]}}),
    "low": (1, "4", {"tolerations": OWN, **on("last")}),
    "large": (3, "100", {}),
    "hungry": (2, "100m", {"container": {"resources": {"requests": {"memory": "1Ti"}}}}),
    "far": (2, "100m", near("podAffinity", "none", ZONE)),
    "nowhere": (2, "100m", on("new")),
    "gated": (2, "100m", {"schedulingGates": [{"name": "test/later"}]}),
}
# Pods of different sizes.
MIXED = {f"mixed-{i}": f"{100 * (1 + i % 7)}m" for i in range(100)}
# Those that have to wait in the end, whatever is chosen for the others.
LEFT = {"apart": 1, "port": 1, "large": 3, "hungry": 2, "far": 2}
LEFT_BEFORE = {**LEFT, "apart": 2, "port": 2, "nowhere": 2, "gated": 2}


def add_nodes(server):
    for i in range(8):
        server.add_node(f"small-{i}", 4, labels={"pool": "small", ZONE: "ab"[i % 2]})
    for i in range(6):
        server.add_node(f"big-{i}", 16, labels={"pool": "big", ZONE: "c"})
    taint = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
    for i in range(3):
        server.add_node(f"own-{i}", 8, labels={"pool": "own", ZONE: "c"}, taints=[taint])
    for i in range(2):
        server.add_node(f"away-{i}", 16, labels={"pool": "away", ZONE: "c"}, unschedulable=True)
    server.add_node("last", 4, labels={"pool": "last", ZONE: "a"}, taints=[taint])


def counts(server):
    """How many pods wait, by class."""
    names = server.without_node() or []
    return {name: sum(one.startswith(name + "-") for one in names) for name in {one.rsplit("-", 1)[0] for one in names}}


def wait_for_counts(server, left):
    def check():
        time.sleep(0.1)
        return counts(server) == left
    try:
        wait_for("these to wait and no others", check)
    except AssertionError:
        raise AssertionError(f"wait: {counts(server)}, expected: {left}")


def bound_of(server, name):
    return [pod for pod in sorted(server.pods()) if pod.startswith(name + "-") and node_of(server.pods()[pod])]


def refusals(server):
    """The words about pods that wait, by class."""
    told = {}
    for name, pod in server.pods().items():
        if not node_of(pod):
            said = condition(pod, "PodScheduled")
            told.setdefault(name.rsplit("-", 1)[0], set()).add(said and said["message"])
    return told


def play(server):
    """The history. Returns the words about those that wait at its end, once all were tried with the last node."""
    add_nodes(server)
    loads = []
    for name, (count, cpus, spec) in CLASSES.items():
        loads.append(Load(server, [f"{name}-{i}" for i in range(count)], cpus=cpus, labels={"app": name},
                          terminationGracePeriodSeconds=0, **spec))
    for name, cpus in MIXED.items():
        loads.append(Load(server, [name], cpus=cpus, **on("big")))
    for load in loads:
        load.wait()
    wait_for_counts(server, LEFT_BEFORE)
    for name, count in {"port": 1, "apart": 1, "web": 20}.items():
        for pod in bound_of(server, name)[:count]:
            server.remove(f"{POD_PATH}/{pod}")
    for i in range(2):
        server.patch(f"{POD_PATH}/gated-{i}", {"spec": {"schedulingGates": []}})
    server.add_pod("high-0", "4", priorityClassName="urgent", tolerations=OWN, **on("last"))
    wait_for_counts(server, {**LEFT, "nowhere": 2})
    assert "low-0" not in server.pods()
    server.add_node("new", 4, labels={"pool": "new", ZONE: "d"}, taints=[])
    wait_for_counts(server, LEFT)
    wait_for("all to be tried with it",
             lambda: all("/21 nodes" in text for texts in refusals(server).values() for text in texts))
    return refusals(server)


def as_kube_scheduler(berth, server, folder):
    user = server.user(FIRST)
    config = [f"--{part}kubeconfig={user.kubeconfig}" for part in ("", "authentication-", "authorization-")]
    options = ("--leader-elect=false", "--secure-port=0", "--kube-api-qps=5000", "--kube-api-burst=5000")
    theirs = Program(folder, "kube-scheduler", real_binary("kube-scheduler"), *config, *options)
    expected = play(server)
    theirs.end(signal.SIGTERM)
    server.clear()
    ours = Scheduler(berth, user, folder, "berth", *options)
    # Since v1.35 the words do not name the taint.
    found = {name: {text.replace("taint {dedicated: x}", "taint(s)") for text in texts}
             for name, texts in play(server).items()}
    assert ours.end(signal.SIGTERM) == 0, ours.text()
    assert found == expected, f"kube-scheduler: {expected}\nBerth: {found}"
