"""`berth serve` against an API server in memory, as a user starts it.

    serve.py BERTH APISERVER FOLDER
"""

import os
import shutil
import signal
import sys
import time

from cluster import (ApiServer, Load, Proxy, Scheduler, check_nodes, condition, free_port, node_of, scrape, surely,
                     wait_for)
from volumes import add_volume, play_volume_controller

BERTH, APISERVER, FOLDER = sys.argv[1:]
OPTIONS = ("--secure-port=0", "--kube-api-qps=-1")


def bound(server, names):
    pods = server.pods()
    return all(node_of(pods[name]) for name in names)


def events(server, reason):
    return [e for e in server.items("/apis/events.k8s.io/v1/events") if e["reason"] == reason]


def tells(port, beginnings):
    """Whether each of these begins a line of the metrics."""
    lines = scrape(port).splitlines()
    return all(any(line.startswith(beginning) for line in lines) for beginning in beginnings)


def binds_and_tells(folder):
    """Pods are bound, and one that fits nowhere says why, as kube-scheduler would."""
    server = ApiServer(APISERVER, folder)
    for i in range(3):
        server.add_node(f"n{i}", 4)
    names = [f"p{i}" for i in range(6)]
    for name in names[:3]:
        server.add_pod(name)
    port = free_port()
    scheduler = Scheduler(BERTH, server, folder, "messages", f"--secure-port={port}", "--bind-address=127.0.0.1",
                          "--unauthenticated-endpoint", "--kube-api-qps=-1")
    for name in names[3:]:
        server.add_pod(name)
    server.add_pod("large", "9")
    server.add_pod("other", schedulerName="another")
    wait_for("bindings", lambda: bound(server, names))
    large = wait_for("a condition", lambda: (p := server.pods()["large"]) and condition(p, "PodScheduled") and p)
    refusal = condition(large, "PodScheduled")
    assert refusal["status"] == "False" and refusal["reason"] == "Unschedulable", refusal
    assert refusal["message"].startswith("0/3 nodes are available: 3 Insufficient cpu."), refusal
    wait_for("events", lambda: len(events(server, "Scheduled")) == 6 and len(events(server, "FailedScheduling")) == 1)
    told = events(server, "FailedScheduling")[0]
    assert told["note"] == refusal["message"] and told["regarding"]["name"] == "large", told
    assert told["reportingController"] == "default-scheduler", told
    assert node_of(server.pods()["other"]) is None
    # What helps it is seen.
    server.add_node("huge", 16)
    wait_for("the large pod", lambda: bound(server, ["large"]))
    check_nodes(server)
    # As a dashboard of kube-scheduler asks for them.
    host = server.url.removeprefix("http://")
    wait_for("metrics", lambda: tells(port, (
        'leader_election_master_status{name="kube-scheduler"} 1',
        f'rest_client_requests_total{{code="201",host="{host}",method="POST"}} ',
        f'rest_client_request_duration_seconds_count{{host="{host}",verb="PATCH"}} ',
        f'rest_client_rate_limiter_duration_seconds_count{{host="{host}",verb="GET"}} ',
        'scheduler_framework_extension_point_duration_seconds_count'
        '{extension_point="Bind",profile="default-scheduler",status="Success"} 7',
        'scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 7')))
    scheduler.process.send_signal(signal.SIGUSR2)
    wait_for("a comparison",
             lambda: "the cache has the 4 nodes and 8 pods of the API server" in scheduler.text())
    assert '"Dump of cached NodeInfo" node="huge" deleted=false requested="MilliCPU:9000 Memory:0"' in \
        scheduler.text(), scheduler.text()
    assert '"Dump of scheduling queue" summary="activeQ:0; backoffQ:0; unschedulablePods:0" pods=""' in \
        scheduler.text(), scheduler.text()
    assert "the state of the cache and the queue is whole" in scheduler.text(), scheduler.text()
    assert "Cache comparer" not in scheduler.text(), scheduler.text()
    lease = server.ask("GET", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler")[1]
    assert lease["spec"]["holderIdentity"], lease
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    lease = server.ask("GET", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler")[1]
    assert not lease["spec"].get("holderIdentity"), lease
    server.end()


def preempts(folder):
    server = ApiServer(APISERVER, folder)
    server.add_node("n", 4)
    server.add_pod("low", "4")
    scheduler = Scheduler(BERTH, server, folder, "messages", "--leader-elect=false", "--v=3", *OPTIONS)
    wait_for("the first pod", lambda: bound(server, ["low"]))
    scheduler.process.send_signal(signal.SIGUSR2)
    wait_for("the end of a comparison", lambda: '"Cache comparer finished"' in scheduler.text())
    assert '"Cache comparer started"' in scheduler.text(), scheduler.text()
    server.add_priority_class("urgent", 1000)
    server.add_pod("high", "4", priorityClassName="urgent")
    wait_for("the preemptor", lambda: bound(server, ["high"]))
    assert "low" not in server.pods()
    victim = wait_for("the event", lambda: events(server, "Preempted"))[0]
    assert victim["regarding"]["name"] == "low" and victim["related"]["name"] == "high", victim
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    server.end()


def survives(folder):
    """A server at its worst, and a scheduler that is killed: each pod is bound once, no node is over its room."""
    server = ApiServer(APISERVER, folder, (
        "cut-after,path=*/binding,share=0.1", "429,method=POST,share=0.2", "500,method=PATCH,share=0.2",
        "cut-answer,watch=true,bytes=20000,share=0.5", "delay,path=*/binding,share=0.2,milliseconds=30"))
    # The script of faults is for all, so what it refuses is asked for again.
    for i in range(10):
        surely(server.add_node, f"n{i}", 20)
    names = [f"p{i}" for i in range(150)]
    scheduler = Scheduler(BERTH, server, folder, "first", "--leader-elect=false", *OPTIONS)
    for i, name in enumerate(names):
        surely(server.add_pod, name)
        if i == 75:
            wait_for("some bindings", lambda: any(node_of(p) for p in server.pods().values()))
            scheduler.end(signal.SIGKILL)
            scheduler = Scheduler(BERTH, server, folder, "second", "--leader-elect=false", *OPTIONS)
    wait_for("bindings", lambda: bound(server, names))
    check_nodes(server)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    server.end()


def takes_over(folder):
    """Two processes: one leads, and when it ends the other one goes on. Both are ended, so either may have been it."""
    server = ApiServer(APISERVER, folder)
    server.add_node("n", 16)
    times = ("--leader-elect-lease-duration=3s", "--leader-elect-renew-deadline=2s", "--leader-elect-retry-period=1s")
    both = [Scheduler(BERTH, server, folder, name, *times, *OPTIONS) for name in ("first", "second")]
    server.add_pod("a")
    wait_for("a leader", lambda: bound(server, ["a"]))
    wait_for("both to know the leader", lambda: all("the leader is" in one.text() for one in both))
    assert both[0].end(signal.SIGTERM) == 0, both[0].text()
    server.add_pod("b")
    wait_for("the other one", lambda: bound(server, ["b"]))
    assert both[1].end(signal.SIGTERM) == 0, both[1].text()
    server.end()


def writes_later(folder):
    """Half of all writes are to come again later: none is given up, and none is done twice."""
    server = ApiServer(APISERVER, folder,
                       [f"429,method={method},share=0.5" for method in ("POST", "PATCH", "PUT", "DELETE")])
    surely(server.add_node, "n", 20)
    surely(server.add_priority_class, "urgent", 1000)
    scheduler = Scheduler(BERTH, server, folder, "messages", "--leader-elect=false", *OPTIONS)
    names = [f"p{i}" for i in range(19)]
    Load(server, names).wait()
    wait_for("bindings", lambda: bound(server, names))
    surely(server.add_pod, "high", "2", priorityClassName="urgent")
    wait_for("the preemptor", lambda: bound(server, ["high"]))
    assert len(server.pods()) == len(names), "one victim is enough"
    check_nodes(server)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    server.end()


def loses_connections(folder):
    """All connections end each second, with what is on its way."""
    server = ApiServer(APISERVER, folder)
    proxy = Proxy(server.port)
    proxy.cut_each(1)
    for i in range(10):
        server.add_node(f"n{i}", 9)
    scheduler = Scheduler(BERTH, server.behind(proxy), folder, "messages", *OPTIONS)
    names = [f"p{i}" for i in range(90)]
    for i in range(0, len(names), 30):
        Load(server, names[i:i + 30]).wait()
        time.sleep(0.5)
    wait_for("bindings", lambda: bound(server, names))
    check_nodes(server)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    server.end()


def is_stopped(folder):
    """A leader that stands still for longer than its lease writes nothing when it goes on, though much waits in it.

    The server's clock is a minute ahead: nobody compares it with its own."""
    server = ApiServer(APISERVER, folder, ahead=60)
    proxy = Proxy(server.port)
    for i in range(10):
        server.add_node(f"n{i}", 10)
    times = ("--leader-elect-lease-duration=3s", "--leader-elect-renew-deadline=2s",
             "--leader-elect-retry-period=1s", "--secure-port=0")
    slow = ("--kube-api-qps=20", "--kube-api-burst=20")
    old = Scheduler(BERTH, server.behind(proxy), folder, "old", *times, *slow)
    wait_for("a leader", lambda: "the leader is" in old.text())
    new = Scheduler(BERTH, server, folder, "new", *times, "--kube-api-qps=-1")
    wait_for("the other one to know it", lambda: "the leader is" in new.text())
    names = [f"p{i}" for i in range(100)]
    Load(server, names).wait()
    wait_for("some bindings", lambda: sum(node_of(pod) is not None for pod in server.pods().values()) > 20)
    old.signal(signal.SIGSTOP)
    assert not bound(server, names)
    wait_for("bindings", lambda: bound(server, names))
    proxy.heard.clear()
    assert old.end(signal.SIGCONT) == 1, old.text()
    late = [method for method in (b"POST /", b"PUT /", b"PATCH /", b"DELETE /") if method in proxy.heard]
    assert not late, bytes(proxy.heard[:1000])
    check_nodes(server)
    assert new.end(signal.SIGTERM) == 0, new.text()
    server.end()


def binds_volumes(folder):
    """A volume gets its claim though the server fails for longer than a write is tried."""
    faults = ("500,method=PATCH,path=*/persistentvolumes/data,count=4",
              "500,method=GET,path=*/persistentvolumes/data,count=1")
    server = ApiServer(APISERVER, folder, faults)
    server.add_node("a", 4)
    server.add_node("b", 4)
    add_volume(server, "data", "b")
    scheduler = Scheduler(BERTH, server, folder, "messages", "--leader-elect=false", *OPTIONS)
    server.add_pod("p", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}])
    play_volume_controller(server, "data")
    wait_for("the pod", lambda: bound(server, ["p"]))
    assert node_of(server.pods()["p"]) == "b"
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    server.end()


for case in (binds_and_tells, preempts, survives, takes_over, writes_later, loses_connections, is_stopped,
             binds_volumes):
    case_folder = os.path.join(FOLDER, case.__name__)
    shutil.rmtree(case_folder, ignore_errors=True)
    os.makedirs(case_folder)
    case(case_folder)
    print(f"{case.__name__}: well")
