"""Runs in which nodes fail, zones fail, nodes are drained, memory runs out: drawn by a seed, checked by their outputs.

    failures.py BERTH FOLDER [--seeds FIRST-LAST]

Each seed is a cluster with Deployments and budgets, and a watch in which things happen at times of the run's clock. What
has to hold, by the results, the events and the log that the run writes:

- an eviction that asked, of an Eviction or of a drain, leaves as many pods of its budget as the budget wants;
- a pod is evicted once;
- after the last failure each Deployment has its replicas, on nodes that are there and have room;
- as many pods were made as were there at first and were evicted;
- on one thread and on two, the outputs are equal.
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys

END = 3000  # seconds: the failures are over


class World:
    """What a seed draws. Times are seconds of the run's clock."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.zones = self.dice.choice([1, 1, 2, 3])
        self.nodes = {f"n{i}": self.node(i) for i in range(self.dice.randint(4, 9))}
        self.sets = {}
        room = sum(4000 - 400 for _ in self.nodes) // 2  # half of it fails at a time at most
        for i in range(self.dice.randint(1, 4)):
            replicas = self.dice.randint(1, 8)
            milli = self.dice.choice([100, 250, 500])
            if replicas * milli > room:
                break
            room -= replicas * milli
            self.sets[f"d{i}"] = {"replicas": replicas, "milli": milli, "budget": self.budget(replicas)}
        self.lines = []
        self.marks = collections.Counter()

    def node(self, i):
        name = f"n{i}"
        return {"apiVersion": "v1", "kind": "Node",
                "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name,
                                                      "topology.kubernetes.io/zone": f"z{i % self.zones}"}},
                "status": {"allocatable": {"cpu": "4", "memory": "4Gi", "pods": "110"},
                           "conditions": [{"type": "Ready", "status": "True"}]}}

    def budget(self, replicas):
        kind = self.dice.choice(["", "minAvailable", "maxUnavailable", "maxUnavailable"])
        if kind == "minAvailable":
            return {kind: self.dice.randint(0, replicas)}
        if kind == "maxUnavailable":
            return {kind: self.dice.choice([0, 1, 1, 2, "34%"])}
        return {}

    def wanted(self, name):
        """Pods that the budget wants to stay; None: it has none."""
        one = self.sets[name]
        if "minAvailable" in one["budget"]:
            return one["budget"]["minAvailable"]
        if "maxUnavailable" not in one["budget"]:
            return None
        most = one["budget"]["maxUnavailable"]
        if isinstance(most, str):
            most = -(-one["replicas"] * int(most[:-1]) // 100)
        return max(0, one["replicas"] - most)

    def cluster(self):
        yield from self.nodes.values()
        for name, one in self.sets.items():
            if one["budget"]:
                yield {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
                       "metadata": {"name": name, "namespace": "default"},
                       "spec": {"selector": {"matchLabels": {"app": name}}, **one["budget"]}}

    def deployments(self):
        for name, one in self.sets.items():
            yield {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "default"},
                   "spec": {"replicas": one["replicas"], "selector": {"matchLabels": {"app": name}},
                            "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [
                                {"name": "c", "image": "i", "resources": {
                                    "requests": {"cpu": f"{one['milli']}m", "memory": "64Mi"}}}]}}}}

    def tell(self, time, kind, what):
        self.lines.append((time, {"type": kind, "time": f"{time}s", "object": what}))

    def changed(self, time, name, annotations=None, ready=None, unschedulable=False):
        node = json.loads(json.dumps(self.nodes[name]))
        node["metadata"]["annotations"] = annotations or {}
        if ready:
            node["status"]["conditions"] = [{"type": "Ready", "status": ready}]
        if unschedulable:
            node["spec"] = {"unschedulable": True}
        self.tell(time, "MODIFIED", node)

    def measured(self, time, name, memory):
        self.tell(time, "ADDED", {"apiVersion": "metrics.k8s.io/v1beta1", "kind": "NodeMetrics",
                                  "metadata": {"name": name}, "usage": {"memory": memory}})

    def stops(self, names, begin, end):
        for name in names:
            self.changed(begin, name, {"berth/kubelet": "stopped"})
            self.changed(end, name)

    def evict(self, pods):
        """Somebody asks for evictions, in bursts, which the budgets have to stop."""
        for _ in range(self.dice.randint(0, 6)):
            time = self.dice.randint(1, END)
            for pod in self.dice.sample(pods, min(len(pods), self.dice.randint(1, 4))):
                self.tell(time, "ADDED", {"apiVersion": "policy/v1", "kind": "Eviction",
                                          "metadata": {"name": pod, "namespace": "default"}})

    def play(self, pods):
        """Each node takes part in one thing at most, so that its end is not another's."""
        self.evict(pods)
        left = list(self.nodes)
        self.dice.shuffle(left)
        if self.zones > 1 and self.dice.random() < 0.3:
            zone = f"z{self.dice.randrange(self.zones)}"
            names = [n for n in left if self.nodes[n]["metadata"]["labels"]["topology.kubernetes.io/zone"] == zone]
            self.stops(names, 50, self.dice.randint(100, END))
            left = [n for n in left if n not in names]
            self.marks["zone stops"] += 1
        for name in left[:self.dice.randint(0, len(left) // 2)]:
            begin = self.dice.randint(1, END // 2)
            end = self.dice.randint(begin + 1, END)
            what = self.dice.choice(["stops", "not ready", "drain", "drain", "deleted", "cordoned", "pressure"])
            self.marks[what] += 1
            if what == "stops":
                self.stops([name], begin, end)
            elif what == "not ready":
                self.changed(begin, name, ready="False")
                self.changed(end, name)
            elif what == "drain":
                self.changed(begin, name, {"berth/drain": "--ignore-daemonsets"})
                self.changed(end, name)
            elif what == "pressure":
                self.measured(begin, name, "4000Mi")
                self.measured(begin + self.dice.randint(1, 60), name, "100Mi")
            elif what == "cordoned":
                self.changed(begin, name, unschedulable=True)
                self.changed(end, name)
            else:
                self.tell(begin, "DELETED", self.nodes[name])
                self.tell(end, "ADDED", self.nodes[name])
        self.lines.sort(key=lambda line: line[0])
        return self.begin() + [line for _, line in self.lines]

    def begin(self):
        return [{"type": "ADDED", "object": one} for one in self.deployments()]


def dump(path, objects):
    with open(path, "w") as out:
        out.writelines(json.dumps(one) + "\n" for one in objects)


def read(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


class Fault(Exception):
    pass


def check(holds, words):
    if not holds:
        raise Fault(words)


def set_of(pod):
    return pod.split("-")[0]


def clock_seconds(day, time):
    """Of the run's clock, which begins with 2024."""
    hours, minutes, rest = time.split(":")
    return round((int(day) - 1) * 86400 + int(hours) * 3600 + int(minutes) * 60 + float(rest), 6)


def seconds(event):
    day, rest = event["eventTime"].split("T")
    return clock_seconds(day[-2:], rest.rstrip("Z"))


# A line of the log of a pod that the eviction API evicts, whoever asked: its day and time, the pod, and who did.
ASKED = re.compile(r'^I01(\d\d) (\S+) .*"Pod is evicted" pod="[^/]*/([^"]*)" reason="EvictionByEvictionAPI" .*cause="([^"]*)"', re.M)


def asked_evictions(log):
    """Pods, when they were evicted, and for whom, in order."""
    return [(name, clock_seconds(day, time), cause) for day, time, name, cause in ASKED.findall(log)]


def check_budgets(world, events, evictions):
    """Upper bounds: pods that are not ready count, since nothing here tells of them, and so do those that leave at the same time."""
    bound, left, evicted = {}, {}, set()
    for event in events:
        name, at = event["regarding"]["name"], seconds(event)
        if event["reason"] == "Scheduled":
            bound[name] = at
        elif event["reason"] == "Evicted" or event["note"].startswith("Marking for deletion"):
            left.setdefault(name, at)
    for name, at, cause in evictions:
        wanted = world.wanted(set_of(name))
        first = name not in evicted and bound.get(name, at + 1) <= at and left.get(name, at) >= at
        evicted.add(name)
        if wanted is None or not first:
            continue
        world.marks["evictions with a budget, by " + ("drains" if cause.startswith("drain") else "Evictions")] += 1
        stay = [pod for pod, since in bound.items()
                if set_of(pod) == set_of(name) and since <= at and pod not in evicted and left.get(pod, at) >= at]
        check(len(stay) >= wanted,
              f"the eviction of {name} at {at} for {cause} leaves {stay}, and the budget wants {wanted}")


def check_end(world, pods):
    used = collections.Counter()
    stay = [pod for pod in pods if not pod.get("gone")]
    for name, one in world.sets.items():
        mine = [pod for pod in stay if set_of(pod["name"]) == name]
        check(len(mine) == one["replicas"], f"{name} has {len(mine)} pods of {one['replicas']}")
        for pod in mine:
            check(pod["outcome"] == "scheduled" and pod["node"] in world.nodes, f"{pod} has no node")
            used[pod["node"]] += one["milli"]
    for node, milli in used.items():
        check(milli <= 4000, f"{node} has {milli} m of 4000 m")
    made = len(pods) - sum(one["replicas"] for one in world.sets.values())
    left = sum(1 for pod in pods if pod.get("gone"))
    check(made == left, f"{made} pods were made for {left} that are gone")


def run(berth, folder, *options):
    outputs = [os.path.join(folder, name) for name in ("results.jsonl", "events.jsonl", "summary.json")]
    command = [berth, "run", "--cluster", "cluster.jsonl", "--pods", "watch.jsonl", "--results", outputs[0], "--events", outputs[1],
               "--summary", outputs[2], "-v=2", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"exit status {done.returncode}: {done.stderr}")
    with open(outputs[2]) as summary:
        return read(outputs[0]), read(outputs[1]), json.load(summary), done.stderr


def play(berth, folder, seed):
    world = World(seed)
    dump(os.path.join(folder, "cluster.jsonl"), world.cluster())
    dump(os.path.join(folder, "watch.jsonl"), world.begin())
    first = [pod["name"] for pod in run(berth, folder)[0]]
    dump(os.path.join(folder, "watch.jsonl"), world.play(first))
    results, events, summary, log = run(berth, folder, "--threads", "1", "--play-on", "30m")
    again = run(berth, folder, "--threads", "2", "--play-on", "30m")
    check((results, events) == again[:2], "on one thread and on two, the outputs differ")
    pods = [line for line in results if "arrived_seconds" in line]
    evictions = [line for line in results if line["outcome"].startswith("eviction_")]
    asked = asked_evictions(log)
    granted = [line["name"] for line in evictions if line["code"] == 201 and not line.get("dry_run")]
    check(set(name for name, _, cause in asked if cause == "Eviction") <= set(granted),
          f"the log has other evictions than the results: {asked}")
    check_budgets(world, events, asked)
    check_end(world, pods)
    evicted = sum(1 for pod in pods if pod.get("evicted_because"))
    check(summary["pods_disrupted"] == evicted,
          f"{summary['pods_disrupted']} evictions of {evicted} pods")
    world.marks["evicted"] += evicted
    world.marks["evictions allowed"] += sum(1 for line in evictions if line["code"] == 201)
    world.marks["evictions refused"] += sum(1 for line in evictions if line["code"] == 429)
    return world.marks


def main():
    options = argparse.ArgumentParser()
    options.add_argument("berth")
    options.add_argument("folder")
    options.add_argument("--seeds", default="1-40")
    options = options.parse_args()
    first, _, last = options.seeds.partition("-")
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    marks, faults = collections.Counter(), 0
    for seed in range(int(first), int(last or first) + 1):
        try:
            marks += play(options.berth, options.folder, seed)
        except Fault as fault:
            faults += 1
            print(f"seed {seed}: {fault}")
            for name in ("cluster.jsonl", "watch.jsonl"):
                shutil.copy(os.path.join(options.folder, name), os.path.join(options.folder, f"{seed}-{name}"))
    print(", ".join(f"{count} {mark}" for mark, count in sorted(marks.items())), f"; {faults} faults")
    return 1 if faults else 0


sys.exit(main())
