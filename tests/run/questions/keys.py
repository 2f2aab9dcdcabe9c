#!/usr/bin/env python3
"""The keys of -o json of the commands that answer questions, and the tables of their pages.

keys.py BERTH DOCS FOLDER
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"


def node(name, zone, cpu=4):
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {HOST: name, ZONE: zone}},
            "status": {"allocatable": {"cpu": str(cpu), "memory": "16Gi", "pods": "20"}}}


def template(cpu, labels):
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": str(cpu)}}}
    return {"metadata": {"labels": labels}, "spec": {"containers": [container]}}


def pod(name, cpu=1, **spec):
    of = template(cpu, {})
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": "default", "uid": name},
            "spec": {**of["spec"], **spec}}


def deployment(name, replicas, cpu=1):
    labels = {"app": name}
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels},
                     "template": template(cpu, labels)}}


def budget(name, least):
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"minAvailable": least, "selector": {"matchLabels": {"app": name}}}}


def write(name, *objects):
    pathlib.Path(name).write_text("".join(json.dumps(one) + "\n" for one in objects))


def packed():
    arguments = {"scoringStrategy": {"type": "MostAllocated",
                                     "resources": [{"name": "cpu", "weight": 1}]}}
    return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
            "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": arguments}]}]}


def without_preemption():
    off = {"multiPoint": {"disabled": [{"name": "DefaultPreemption"}]}}
    return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
            "profiles": [{"plugins": off}]}


def what_if(*steps):
    return {"apiVersion": "berth/v1", "kind": "WhatIf", "steps": list(steps)}


def write_inputs():
    nodes = [node("a1", "a"), node("a2", "a"), node("b1", "b")]
    write("nodes.json", *nodes)
    write("small.json", pod("small"))
    write("large.json", pod("large", 2))
    write("pods.json", *[pod(f"p{i}") for i in range(16)], pod("huge", 12))
    write("two.json", pod("first"), pod("second"))
    write("four.json", *[pod(f"pod-{i}") for i in range(4)])
    write("one.json", node("a1", "a"), node("b1", "b"), pod("running", nodeName="a1"))
    write("full.json", node("a1", "a", 2), pod("low", 2, nodeName="a1", priority=0))
    write("high.json", pod("high", 2, priority=100))
    write("templates.json", {"apiVersion": "berth/v1", "kind": "NodeTemplate",
                             "metadata": {"name": "t"}, "price": 2,
                             "status": node("t", "c")["status"]})
    write("packed.json", packed())
    write("none.json", without_preemption())
    write("cluster.json", *nodes, deployment("web", 9), budget("web", 9), pod("bare", nodeName="a1"))
    write("lose.json", what_if({"remove": {"nodes": ZONE + "=a"}}))
    write("shift.json", what_if({"drain": {"node": "b1", "options": "--force"}}))
    write("stuck.json", what_if({"drain": {"node": "a1"}}))
    write("spare.json", *nodes, deployment("web", 2), deployment("big", 1, 100))
    bound = pod("first", nodeName="a1")
    events = [("ADDED", one) for one in (node("a1", "a"), node("b1", "b"),
                                         pod("running", nodeName="a1"), pod("first"))]
    events.append(("MODIFIED", bound))
    write("watch.json", *[{"type": kind, "object": one} for kind, one in events])
    stage = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse",
             "stage": "ResponseComplete", "verb": "create", "responseStatus": {"code": 201}}
    write("audit.json", *[{**stage, "objectRef": {"resource": one["kind"].lower() + "s",
                                                  "name": one["metadata"]["name"]},
                           "responseObject": one} for _, one in events[:2]])


def commands():
    fit = ["fit", "--cluster", "nodes.json"]
    diff = ["diff", "--cluster", "one.json"]
    run = ["run", "cluster.json", "--what-if"]
    return {
        "fit.md": [[*fit, "--pod", "small.json", "--pod", "large.json"],
                   [*fit, "--pod", "small.json", "--count", "2"]],
        "need.md": [["need", "--cluster", "nodes.json", "--pods", "pods.json", "--node-template",
                     "templates.json"]],
        "what-if.md": [[*run, "lose.json"], [*run, "shift.json"], [*run, "stuck.json"],
                       ["run", "spare.json", "--what-if", "shift.json"]],
        "replay.md": [["replay", "run.journal"], ["replay", "run.journal", "--config", "packed.json"],
                      ["replay", "watch.json"], ["replay", "audit.json"]],
        "diff.md": [[*diff, "--pods", "two.json", "--config", ",packed.json"],
                    ["diff", "--cluster", "full.json", "--pods", "high.json", "--config",
                     ",none.json", "--admission", "off"],
                    ["diff", "a.jsonl", "b.jsonl"]],
    }


def leaves(value, path=""):
    """The paths of all values that are no objects; those of lists end with []."""
    if isinstance(value, dict):
        for key, of in value.items():
            yield from leaves(of, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for of in value:
            yield from leaves(of, path + "[]")
    else:
        yield path


def expanded(key):
    """The keys that one of the table stands for: a{b,c} for ab and ac."""
    braces = re.search(r"\{([^}]*)\}", key)
    if not braces:
        return [key]
    return [one for word in braces.group(1).split(",")
            for one in expanded(key[:braces.start()] + word + key[braces.end():])]


def keys_of(page):
    """The keys of the page's table: words in capitals stand for any name."""
    text = page.read_text()
    head = re.search(r"^\| key \| unit \| meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    assert head, f"{page}: no table of keys"
    keys = []
    for row in head.group(1).splitlines():
        for key in re.findall(r"`([^`]+)`", row.split("|")[1]):
            keys += expanded(key)
    return keys


def pattern(key):
    words = re.split(r"\b([A-Z]+)\b", key)
    return re.compile("".join("[^\n]+" if i % 2 else re.escape(word)
                              for i, word in enumerate(words)))


def ask(berth, arguments):
    done = subprocess.run([berth, *arguments, "-o", "json"], capture_output=True, text=True,
                          check=False)
    assert done.returncode in (0, 3), (arguments, done.returncode, done.stderr)
    return set(leaves(json.loads(done.stdout)))


def check(page, found):
    keys = {key: pattern(key) for key in keys_of(page)}
    unknown = [one for one in sorted(found) if not any(key.fullmatch(one) for key in keys.values())]
    missing = [key for key, of in keys.items() if not any(of.fullmatch(one) for one in found)]
    assert not unknown, f"{page.name}: keys that the page does not have: {unknown}"
    assert not missing, f"{page.name}: keys that no output has: {missing}"


def main(berth, docs, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    write_inputs()
    subprocess.run([berth, "run", "one.json", "two.json", "--record", "run.journal"], check=True,
                   capture_output=True)
    for results, config in (("a.jsonl", []), ("b.jsonl", ["--config", "packed.json"])):
        subprocess.run([berth, "run", "one.json", "four.json", "--results", results, "--scores",
                        "9", *config], check=True, capture_output=True)
    for page, lines in commands().items():
        found = set().union(*(ask(berth, line) for line in lines))
        check(pathlib.Path(docs) / page, found)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3])
