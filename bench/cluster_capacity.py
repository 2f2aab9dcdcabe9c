"""How long `berth fit` and cluster-capacity of kubernetes-sigs take for the same question about a large cluster.

    cluster_capacity.py BERTH BERTH_LOADGEN FOLDER [--program FILE] [--nodes 5000] [--cpu 3500m] [--repetitions 3]

FILE is the program cluster-capacity, else it is where the programs of Kubernetes are. It asks a real API server, whose
answers to kubectl are the file that berth reads. Both are timed from the start of the program to its end. Exits with
status 77 where a program is not installed.
"""

import argparse
import concurrent.futures
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/run/service"))
from cluster import real_binary  # noqa: E402
from real_cluster import POD_PATH, RealServer  # noqa: E402

READ = "nodes,pods,services,namespaces"


class Timed:
    """What a program printed, and its seconds: by the wall and by the processors."""

    def __init__(self, *line, env=None):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(line, capture_output=True, text=True, env=env)
        self.wall = time.monotonic() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.out = done.stdout
        assert done.returncode == 0, (line, done.returncode, done.stderr[-2000:])


def fill(server, berth_loadgen, nodes):
    objects = server.path("nodes.json")
    subprocess.run([berth_loadgen, "cluster", "mixed", "--set", f"nodes={nodes}", "--output", objects], check=True,
                   capture_output=True)
    with open(objects) as file:
        items = [one for one in json.load(file)["items"] if one["kind"] == "Node"]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda node: server.create("/api/v1/nodes", node), items))


def completed(server, cpu):
    """A pod with the defaults of an API server, which cluster-capacity does not add."""
    pod = server.create(POD_PATH + "?dryRun=All", {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "copied", "labels": {"app": "copied"}},
        "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}]}})
    kept = {key: pod["metadata"][key] for key in ("name", "namespace", "labels")}
    return server.write("pod.json", json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": kept,
                                                "spec": pod["spec"]}))


def main():
    parser = argparse.ArgumentParser()
    for name in ("berth", "berth_loadgen", "folder", "--program"):
        parser.add_argument(name)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--cpu", default="3500m")
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    kubectl = real_binary("kubectl")
    for name in ("etcd", "kube-apiserver"):
        real_binary(name)
    options.program = options.program or real_binary("cluster-capacity")
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    server = RealServer(options.folder, audit=False)
    fill(server, options.berth_loadgen, options.nodes)
    pod = completed(server, options.cpu)
    read = Timed(kubectl, "--kubeconfig", server.kubeconfig, "get", READ, "-A", "-o", "json",
                 env={"HOME": options.folder})
    print(f"kubectl get: {read.wall:.2f} s", flush=True)
    cluster = server.write("cluster.json", read.out)
    ours = []
    for _ in range(options.repetitions):
        ours.append(Timed(options.berth, "fit", "--cluster", cluster, "--pod", pod, "--kube-version", "1.34", "-o",
                          "json"))
        print(f"berth fit: {json.loads(ours[-1].out)['copies']} copies in {ours[-1].wall:.2f} s "
              f"({ours[-1].processor:.2f})", flush=True)
    theirs = Timed(options.program, "--kubeconfig", server.kubeconfig, "--podspec", pod)
    print(f"cluster-capacity: {theirs.out.split()[-1]} copies in {theirs.wall:.2f} s ({theirs.processor:.2f})")
    print(f"{theirs.wall / statistics.median(one.wall for one in ours):.0f} times")
    server.end()
    return 0


sys.exit(main())
