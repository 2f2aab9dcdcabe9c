"""Berth as deploy/base runs it: with its ServiceAccount, its permissions and its options."""

import os
import signal
import ssl
import subprocess
import urllib.error
import urllib.request

from cluster import Program, Scheduler, check_nodes, condition, node_of, wait_for
from real_cluster import ADMIN, SECOND, free_port
from volumes import add_volume, play_volume_controller

BASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../deploy/base")
ACCOUNT = "system:serviceaccount:kube-system:berth-scheduler"
MINE = {"schedulerName": "berth-scheduler", "terminationGracePeriodSeconds": 0}


def deploy(server, folder):
    """The options of the Deployment's container, with its configuration in `folder`, and a token of its account."""
    server.kubectl("apply", "--filename", "-", given=server.kubectl("kustomize", BASE))
    path = "/apis/apps/v1/namespaces/kube-system/deployments/berth-scheduler"
    pod = server.ask("GET", path)[1]["spec"]["template"]["spec"]
    name = pod["volumes"][0]["configMap"]["name"]
    files = server.ask("GET", f"/api/v1/namespaces/kube-system/configmaps/{name}")[1]["data"]
    for file, text in files.items():
        with open(os.path.join(folder, file), "w") as to:
            to.write(text)
    container = pod["containers"][0]
    command, *options = [one.replace(container["volumeMounts"][0]["mountPath"], folder) for one in container["args"]]
    assert command == "serve", command
    token = server.kubectl("create", "token", pod["serviceAccountName"], "--namespace", "kube-system").strip()
    return options, token


def status_of(port, page, token=None):
    """Of an answer of Berth's own port."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"https://127.0.0.1:{port}{page}", headers=headers)
    try:
        return urllib.request.urlopen(request, context=ssl._create_unverified_context()).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None  # not yet there


def check_port(port):
    wait_for("readiness", lambda: status_of(port, "/readyz") == 200)
    assert status_of(port, "/metrics", ADMIN) == 200
    assert status_of(port, "/metrics", SECOND) == 403
    assert status_of(port, "/metrics", "unknown") == 401
    assert status_of(port, "/metrics") == 403


def check_permissions(server, scheduler):
    """Nothing was refused to it."""
    mine = [one for one in server.audit() if one["user"].get("username") == ACCOUNT]
    refused = [one for one in mine if one["responseStatus"]["code"] in (401, 403)]
    assert mine and not refused, refused[:3]
    assert "orbidden" not in scheduler.text(), scheduler.text()


def deployed(berth, server, folder):
    """Bindings, a volume, a preemption, refusals and the port, all with no more rights than deploy/base gives."""
    options, token = deploy(server, folder)
    server.clear()
    port = free_port()
    account = server.user(token)
    # With --config the file alone counts.
    with open(os.path.join(folder, "configuration.yaml"), "a") as file:
        file.write(f"clientConnection: {{kubeconfig: {account.kubeconfig}}}\n")
    scheduler = Scheduler(berth, account, folder, "messages", *options, f"--secure-port={port}",
                          f"--authentication-kubeconfig={account.kubeconfig}",
                          f"--authorization-kubeconfig={account.kubeconfig}")
    for name in ("a", "b"):
        server.add_node(name, 4)
    add_volume(server, "data", "b")
    server.add_pod("volume", priorityClassName="urgent",
                   volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}], **MINE)
    play_volume_controller(server, "data")
    server.wait_for_bindings()
    assert node_of(server.pods()["volume"]) == "b"
    server.add_pod("low", "4", **MINE)
    server.wait_for_bindings()
    server.add_pod("high", "4", priorityClassName="urgent", **MINE)
    server.add_pod("other")
    server.add_pod("large", "9", **MINE)
    server.wait_for_bindings(["large", "other"])
    pods = server.pods()
    assert sorted(pods) == ["high", "large", "other", "volume"] and node_of(pods["high"]) == "a", sorted(pods)
    check_nodes(server)
    refusal = wait_for("a condition", lambda: condition(server.pods()["large"], "PodScheduled"))
    assert refusal["message"].startswith("0/2 nodes are available: 2 Insufficient cpu."), refusal
    assert condition(pods["other"], "PodScheduled") is None
    told = wait_for("events", lambda: (reasons := {e["reason"] for e in server.items(
        "/apis/events.k8s.io/v1/namespaces/default/events") if e["reportingController"] == "berth-scheduler"}) and
        len(reasons) == 3 and reasons)
    assert told == {"Scheduled", "FailedScheduling", "Preempted"}, told
    check_port(port)
    lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/berth-scheduler"
    assert server.ask("GET", lease)[1]["spec"]["holderIdentity"]
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    assert not server.ask("GET", lease)[1]["spec"].get("holderIdentity")
    check_permissions(server, scheduler)


# Runs what follows with the files of a ServiceAccount where a pod has them, out of a folder.
IN_POD = """set -e
mount -t tmpfs tmpfs "$(readlink -f /var/run)"
mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
cp "$0"/token "$0"/ca.crt /var/run/secrets/kubernetes.io/serviceaccount
exec "$@"
"""


def in_cluster(berth, server, folder):
    """The same as a process in a pod, which finds the server by itself."""
    options, token = deploy(server, folder)
    server.clear()
    with open(os.path.join(folder, "token"), "w") as file:
        file.write(token)
    with open(server.authority) as authority, open(os.path.join(folder, "ca.crt"), "w") as file:
        file.write(authority.read())
    inside = ("unshare", "--mount", "--map-root-user", "sh", "-c", IN_POD, folder)
    if subprocess.run([*inside, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return "skipped, for no file system can be mounted here"
    port = free_port()
    scheduler = Program(folder, "messages", *inside, "env", "KUBERNETES_SERVICE_HOST=127.0.0.1",
                        f"KUBERNETES_SERVICE_PORT={server.port}", berth, "serve", *options, f"--secure-port={port}")
    server.add_node("a", 4)
    server.add_pod("p", **MINE)
    server.wait_for_bindings()
    check_port(port)
    assert scheduler.end(signal.SIGTERM) == 0, scheduler.text()
    check_permissions(server, scheduler)
