"""How many copies of a pod fit: `berth fit` and cluster-capacity of kubernetes-sigs, asked on the same drawn clusters.

    cluster_capacity.py BERTH FOLDER [--program FILE] [--clusters 40] [--first 0] [--seed 0] [--version 1.34]

FILE is the program cluster-capacity, else it is where the programs of Kubernetes are; --version is that of the
kube-scheduler in it. A real API server holds each cluster. It completes the pod first, as both read manifests and only
berth does that. Exits with status 77 where a program is not installed.

cluster-capacity draws among the nodes of the best score. So where its number, or its pods by node, is not that of the
first seeds of berth, it has to be that of another one.

It ends with the first copy that is refused, but by then preemption has begun to delete pods for that copy, and now and
then it takes their place. So where an answer differs, it is asked again without preemption. A second report of that copy
makes the program panic at times; it is asked again then.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../service"))
from cluster import LIMIT, real_binary  # noqa: E402
from drawn import draw_cluster  # noqa: E402
from real_cluster import POD_PATH, RealServer  # noqa: E402

EQUAL = "equal by node and by message"
SEEDS = 300  # at most, where the seed decides
FIRST_SEEDS = 8
TRIES = 5
OTHER_PODS = "/api/v1/namespaces/other/pods"
SERVICES = "/api/v1/namespaces/default/services"
READ = "nodes,pods,services,namespaces"

# `copies`, `nodes`: pods by node, and the message about the copy that does not fit.
Answer = collections.namedtuple("Answer", "copies nodes message")


NO_PREEMPTION = """apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {contentType: application/json, qps: 50, burst: 100}
profiles: [{schedulerName: default-scheduler, plugins: {postFilter: {disabled: [{name: "*"}]}}}]
"""


def reasons(message):
    """Without what preemption says, which both leave out of the question in another way."""
    return message.split(" preemption: ")[0].split(" no new claims")[0]


class Comparison:
    def __init__(self, options):
        self.options, self.panics = options, collections.Counter()
        self.server = RealServer(options.folder, audit=False)
        self.server.add_priority_class("urgent", 1000)
        self.config = self.server.write("config.yaml", NO_PREEMPTION)
        self.server.create("/api/v1/namespaces", {"kind": "Namespace", "metadata": {"name": "other"}})

    def fill(self, drawn):
        for path in (POD_PATH, OTHER_PODS, "/api/v1/nodes"):
            self.server.remove(path)
        for one in self.server.items(SERVICES):
            if one["metadata"]["name"].startswith("s-"):
                self.server.remove(f"{SERVICES}/{one['metadata']['name']}")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda node: self.server.create("/api/v1/nodes", node), drawn.nodes))
            list(pool.map(lambda pod: self.server.create(
                f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods", pod), drawn.pods))
            list(pool.map(lambda one: self.server.create(SERVICES, one), drawn.services))
        self.cluster = self.server.write("cluster.json", self.server.kubectl("get", READ, "-A", "-o", "json"))
        self.pod = self.server.write("pod.json", json.dumps(self.completed(drawn.template)))

    def completed(self, template):
        """With the defaults of an API server, and what its admission adds."""
        pod = self.server.create(POD_PATH + "?dryRun=All", template)
        return {"apiVersion": "v1", "kind": "Pod", "spec": pod["spec"],
                "metadata": {key: pod["metadata"][key] for key in ("name", "namespace", "labels")}}

    def theirs(self, *more):
        """Where it panics, it is asked again."""
        line = [self.options.program, "--kubeconfig", self.server.kubeconfig, "--podspec", self.pod, "-o",
                "json", *more]
        for _ in range(TRIES):
            done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT)
            if "panic: " not in done.stderr:
                break
            self.panics[done.stderr.split("panic: ")[1].splitlines()[0]] += 1
        found = done.stdout.find("\n{")
        assert done.returncode == 0 and found >= 0, done
        status = json.loads(done.stdout[found:])["status"]
        nodes = {one["nodeName"]: one["replicas"] for pod in status["pods"] for one in pod["replicasOnNodes"]}
        return Answer(status["replicas"], nodes, reasons(status["failReason"]["failMessage"]))

    def ours(self, seed):
        line = [self.options.berth, "fit", "--cluster", self.cluster, "--pod", self.pod, "--kube-version",
                self.options.version, "--seed", str(seed), "-o", "json"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode in (0, 3), done
        answer = json.loads(done.stdout)
        nodes = {one["node"]: one["pods"] for one in answer["nodes"] if one["pods"]}
        return Answer(answer["copies"], nodes, reasons(answer["stopped_by"]["message"]))

    def compare(self, number):
        """What is compared, and a kind of agreement or of difference."""
        drawn = draw_cluster(random.Random(f"{self.options.seed}/{number}"))
        self.fill(drawn)
        ours = [self.ours(seed) for seed in range(FIRST_SEEDS)]
        found, theirs = "", self.theirs()
        if theirs not in ours and drawn.template["spec"].get("priorityClassName"):
            found = f" without preemption, {theirs.copies} with it"
            theirs = self.theirs("--default-config", self.config)
        what = f"cluster {number}: {len(drawn.nodes)} nodes, {len(drawn.pods)} pods, {theirs.copies} copies{found}"
        after = " without preemption" if found else ""
        seed = FIRST_SEEDS
        while theirs not in ours and seed < SEEDS:
            ours.append(self.ours(seed))
            seed += 1
        if theirs in ours:
            return what, EQUAL + (after if all(one == theirs for one in ours) else f"{after} with one of the seeds")
        return self.partly(what, theirs, ours)

    def partly(self, what, theirs, ours):
        alike = [one for one in ours if one.copies == theirs.copies]
        if not alike:
            return f"{what}, {sorted({one.copies for one in ours})} with berth", "different"
        messages = {one.message for one in alike}
        if theirs.message not in messages:
            return f"{what}: {theirs.message} / {messages}", "different"
        if all(one == ours[0] for one in ours):
            return f"{what}: {theirs.nodes} / {ours[0].nodes}", "different"
        return what, "equal in number and message, by node as no seed has it"


def main():
    parser = argparse.ArgumentParser()
    for name in ("berth", "folder", "--program"):
        parser.add_argument(name)
    parser.add_argument("--clusters", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--version", default="1.34")
    options = parser.parse_args()
    for name in ("etcd", "kube-apiserver", "kubectl"):
        real_binary(name)
    options.program = options.program or real_binary("cluster-capacity")
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    comparison, counted = Comparison(options), collections.Counter()
    for number in range(options.first, options.first + options.clusters):
        what, kind = comparison.compare(number)
        counted[kind] += 1
        print(f"{what}: {kind}", flush=True)
    comparison.server.end()
    for kind, count in [*counted.most_common(), *comparison.panics.most_common()]:
        print(f"{count:6}  {kind}")
    return 1 if counted["different"] else 0


sys.exit(main())
