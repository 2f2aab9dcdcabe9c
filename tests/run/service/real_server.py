"""`berth serve` against the API server of Kubernetes, as a user starts it.

    real_server.py BERTH FOLDER [--long] [SCENE...]

Exits with status 77 where Kubernetes' programs are not installed. With --long the scenes are larger.
"""

import os
import shutil
import signal
import sys
import time

from cluster import Load, Proxy, Scheduler, check_nodes, condition, node_of, real_binary, wait_for
from real_cluster import FIRST, SECOND, RealServer, bindings, now, writes
from real_deployment import deployed, in_cluster
from real_difference import as_kube_scheduler

LONG = "--long" in sys.argv
OPTIONS = ("--secure-port=0", "--kube-api-qps=-1")
ALONE = ("--leader-elect=false", *OPTIONS)
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler"


def size(usual, long):
    return long if LONG else usual


def pod_names(count):
    return [f"p{i}" for i in range(count)]


def add_nodes(server, count, pods):
    """Together with exactly so much room: one binding too many would be seen."""
    assert pods % count == 0
    for i in range(count):
        server.add_node(f"n{i}", pods // count, pods=pods // count + 1)


def check(server, names):
    """What has to be true after every scene, by the server's own objects and its log."""
    pods = server.pods()
    assert sorted(pods) == sorted(names), sorted(pods)
    for name, pod in pods.items():
        assert node_of(pod), name
        assert condition(pod, "PodScheduled")["status"] == "True", pod["status"]
    check_nodes(server)
    # The log lacks answers that were lost.
    assert set(bindings(server.audit()).values()) == {1}


def plain(berth, server, folder):
    """Pods are bound; of one that fits nowhere kubectl says why."""
    nodes, names = 50, pod_names(size(150, 3000))
    add_nodes(server, nodes, len(names))
    scheduler = Scheduler(berth, server.user(FIRST), folder, "messages", *OPTIONS)
    Load(server, names).wait()
    server.wait_for_bindings()
    check(server, names)
    server.add_pod("large", "99")
    refused = f"0/{nodes} nodes are available: {nodes} Insufficient cpu."
    described = wait_for("the words about it", lambda: (text := server.kubectl("describe", "pod", "large")) and
                         "FailedScheduling" in text and "PodScheduled" in text and text)
    assert refused in described and "default-scheduler" in described, described
    assert condition(server.pods()["large"], "PodScheduled")["message"].startswith(refused)
    wait_for("events", lambda: server.kubectl("get", "events").count("Scheduled") == len(names))
    assert refused in server.kubectl("get", "events", "--field-selector", "reason=FailedScheduling")
    assert server.ask("GET", LEASE)[1]["spec"]["holderIdentity"]
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    assert not server.ask("GET", LEASE)[1]["spec"].get("holderIdentity")


def server_killed(berth, server, folder):
    names = pod_names(size(100, 3000))
    add_nodes(server, 10, len(names))
    scheduler = Scheduler(berth, server.user(FIRST), folder, "messages", *ALONE)
    load = Load(server, names)
    wait_for("some bindings", lambda: bindings(server.audit()))
    server.kill()
    server.start()
    load.wait()
    server.wait_for_bindings()
    check(server, names)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()


def etcd_stopped(berth, server, folder):
    names = pod_names(size(100, 3000))
    add_nodes(server, 10, len(names))
    scheduler = Scheduler(berth, server.user(FIRST), folder, "messages", *ALONE)
    load = Load(server, names)
    wait_for("some bindings", lambda: bindings(server.audit()))
    server.etcd.signal(signal.SIGSTOP)
    time.sleep(size(3, 20))
    server.etcd.signal(signal.SIGCONT)
    load.wait()
    server.wait_for_bindings()
    check(server, names)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()


def leader_stopped(berth, server, folder):
    """A leader that is stopped for longer than its lease writes nothing when it goes on, whatever waits in it.

    The new one has a rate limit: its lease is short, and a server that it floods answers that late, too."""
    times = ("--leader-elect-lease-duration=4s", "--leader-elect-renew-deadline=3s",
             "--leader-elect-retry-period=1s", "--secure-port=0")
    names = pod_names(size(100, 1000))
    add_nodes(server, 10, len(names))
    old = Scheduler(berth, server.user(FIRST), folder, "old", *times, "--kube-api-qps=20", "--kube-api-burst=20")
    wait_for("a leader", lambda: "the leader is" in old.text())
    new = Scheduler(berth, server.user(SECOND), folder, "new", *times, "--kube-api-qps=100")
    wait_for("the other one to know it", lambda: "the leader is" in new.text())
    Load(server, names).wait()
    wait_for("some bindings", lambda: len(bindings(server.audit())) > 20)
    old.signal(signal.SIGSTOP)
    assert server.without_node()
    server.wait_for_bindings()
    went_on = now()
    assert old.end(signal.SIGCONT) == 1, old.text()
    late = [one for one in writes(server.audit(), FIRST) if one["requestReceivedTimestamp"] > went_on]
    assert not late, (len(late), late[:3])
    check(server, names)
    assert new.end(signal.SIGTERM) == 0, new.text()


def scheduler_killed(berth, server, folder):
    names = pod_names(size(100, 3000))
    add_nodes(server, 10, len(names))
    load = Load(server, names)
    scheduler = Scheduler(berth, server.user(FIRST), folder, "messages", *ALONE)
    for i in range(size(2, 10)):
        wait_for("more bindings", lambda: len(bindings(server.audit())) > (i + 1) * 20)
        assert scheduler.end(signal.SIGKILL) == -signal.SIGKILL, scheduler.text()
        scheduler = Scheduler(berth, server.user(FIRST), folder, f"messages{i}", *ALONE)
    load.wait()
    server.wait_for_bindings()
    check(server, names)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()


def connections_cut(berth, server, folder):
    """All of its connections end each second, with whatever is on its way."""
    names = pod_names(size(100, 3000))
    add_nodes(server, 10, len(names))
    proxy = Proxy(server.port)
    proxy.cut_each(1)
    scheduler = Scheduler(berth, server.user(FIRST, proxy.port), folder, "messages", *OPTIONS)
    for i in range(0, len(names), 25):
        Load(server, names[i:i + 25]).wait()
        time.sleep(0.5)
    server.wait_for_bindings()
    check(server, names)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()


SCENES = (plain, server_killed, etcd_stopped, leader_stopped, scheduler_killed, connections_cut, as_kube_scheduler,
          deployed, in_cluster)


def main(berth, folder, *chosen):
    for name in ("etcd", "kube-apiserver", "kube-scheduler", "kubectl"):
        real_binary(name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    server = RealServer(folder)
    server.add_priority_class("urgent", 1000)
    for scene in SCENES:
        if chosen and scene.__name__ not in chosen:
            continue
        server.clear()
        began = time.monotonic()
        scene_folder = os.path.join(folder, scene.__name__)
        os.makedirs(scene_folder)
        what = scene(berth, server, scene_folder) or "well"
        print(f"{scene.__name__}: {what}, {time.monotonic() - began:.1f} s", flush=True)
    server.end()
    return 0


sys.exit(main(*(one for one in sys.argv[1:] if one != "--long")))
