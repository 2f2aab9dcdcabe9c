"""How far a scheduler goes when the API server is not the wall: pods bound at an API server in memory.

    measure.py --build build/release                              # 20,000 pods that are there, 5,000 nodes
    measure.py --build build/release --scheduler berth --scheduler kube --repetitions 3
    measure.py --build build/release --pods 1 --rate 5000 --more-pods 50000           # latencies
    measure.py --build build/release --pods 1 --rate 8000 --more-pods 2000000 --life 2 --node-rate 5

Both processes run on the same cores and speak HTTP/2 over TLS. Repetitions go in turns over the schedulers. Times are
the server's, from the first binding on. Processor time and memory are those of the processes, sampled ten times a
second.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
# Of a run in which nothing is bound any more.
PATIENCE = 60


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_megabytes(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * PAGE / 1e6


class Server:
    """The API server in memory with its load."""

    def __init__(self, options, folder):
        self.kubeconfig = os.path.join(folder, "kubeconfig")
        arguments = [os.path.join(options.build, "test/apiserver_program"), "--kubeconfig", self.kubeconfig,
                     "--grace-scale", "0", "--nodes", options.nodes, "--pods", options.pods, "--rate", options.rate,
                     "--more-pods", options.more_pods, "--life", options.life, "--node-rate", options.node_rate]
        self.process = subprocess.Popen([str(one) for one in arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.line, self.url, self.last = {}, "", {}
        self.ready = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        if not self.ready.wait(300) or not self.url:
            sys.exit("measure.py: the API server in memory did not start")

    def read(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                self.line = json.loads(line)
            else:
                self.url = line.strip()
                self.ready.set()
        self.ready.set()

    def end(self):
        """The last line, which has the latencies."""
        self.process.stdin.close()
        self.process.wait(60)
        self.reader.join(60)
        return self.line


def berth(options, kubeconfig):
    return [os.path.join(options.build, "bin/berth"), "serve", "--kubeconfig", kubeconfig, "--leader-elect=false",
            "--secure-port=0", "--kube-api-qps=-1", *options.option]


def kube(options, kubeconfig):
    folder = os.environ.get("KUBEBUILDER_ASSETS", "/usr/local/kubebuilder/bin")
    return [os.path.join(folder, "kube-scheduler"), "--kubeconfig", kubeconfig, "--leader-elect=false",
            "--secure-port=0", "--kube-api-qps=100000", "--kube-api-burst=100000",
            "--kube-api-content-type=application/json", *options.option]


SCHEDULERS = {"berth": berth, "kube": kube}


class Run:
    """One scheduler until every pod is bound and has its event."""

    def __init__(self, options, name, folder):
        self.options = options
        self.pods = options.pods + options.more_pods
        self.server = Server(options, folder)
        self.messages = os.path.join(folder, "messages")
        began = time.time()
        with open(self.messages, "w") as file:
            self.process = subprocess.Popen(SCHEDULERS[name](options, self.server.kubeconfig), stdout=file, stderr=file)
        self.samples = []  # pods bound, processor seconds of both, memory of the scheduler
        try:
            self.follow()
        finally:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
        self.last = self.server.end()
        self.started = self.last["first_bound"] - began

    def follow(self):
        changed = time.monotonic()
        before = {}
        while True:
            time.sleep(0.1)
            if self.process.poll() is not None:
                sys.exit("measure.py: the scheduler ended: " + self.text())
            if time.monotonic() - changed > PATIENCE:
                sys.exit(f"measure.py: nothing came for {PATIENCE} s: {before}; {self.text()}")
            line = self.server.line
            if line == before:
                continue
            if any(line[key] != before.get(key) for key in ("bound", "events", "deleted")):
                changed = time.monotonic()
            before = line
            self.samples.append((line["bound"], processor_seconds(self.server.process.pid),
                                 processor_seconds(self.process.pid), resident_megabytes(self.process.pid)))
            if line["bound"] == self.pods and (line["events"] == self.pods or self.options.lost_events):
                return

    def text(self):
        with open(self.messages) as file:
            return file.read()[-2000:]

    def figures(self):
        first, last = self.last["first_bound"], self.last["last_bound"]
        whole = max(last, self.last["last_event"]) - first
        # The sample before the first binding, or the first one.
        begin = max((s for s in self.samples if s[0] == 0), default=self.samples[0])
        server, own = (self.samples[-1][i] - begin[i] for i in (1, 2))
        latency = self.last["latency_ms"]
        return {"start s": self.started, "bound/s": self.pods / max(last - first, 1e-6),
                "whole/s": self.pods / max(whole, 1e-6), "scheduler us/pod": own / self.pods * 1e6,
                "server us/pod": server / self.pods * 1e6, "cores": (own + server) / max(whole, 1e-6),
                "p50 ms": latency["p50"], "p99 ms": latency["p99"], "max MB": max(s[3] for s in self.samples)}

    def memory(self):
        """Pods and the most memory until then, in eighths of the pods; and whether the last half is level."""
        most = {}
        for bound, _, _, megabytes in self.samples:
            part = min(7, bound * 8 // self.pods)
            most[part] = max(most.get(part, 0), megabytes)
        parts = [most.get(i, 0) for i in range(8)]
        return parts, parts[3] > 0 and parts[-1] <= parts[3] * 1.05 + 4


def print_row(name, values):
    print(f"{name:10}" + "".join(f"{value:>17}" for value in values), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="the folder of a build")
    parser.add_argument("--scheduler", action="append", choices=SCHEDULERS, help="berth, or more in turns")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--pods", type=int, default=20000, help="that are there before")
    parser.add_argument("--rate", type=float, default=0, help="pods a second that come once those are bound")
    parser.add_argument("--more-pods", type=int, default=0, help="that come so")
    parser.add_argument("--life", type=float, default=0, help="seconds of a bound pod and of an event")
    parser.add_argument("--node-rate", type=float, default=0, help="nodes a second that are replaced")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--cores", default="", help="of both processes, as in 0,1; all")
    parser.add_argument("--lost-events", action="store_true", help="do not wait for the events of all pods")
    parser.add_argument("--option", action="append", default=[], help="a further option of the scheduler")
    options = parser.parse_args()
    if options.cores:
        os.sched_setaffinity(0, {int(core) for core in options.cores.split(",")})
    level = True
    for repetition in range(options.repetitions):
        for name in options.scheduler or ["berth"]:
            folder = tempfile.mkdtemp(prefix="berth-measure-")
            run = Run(options, name, folder)
            figures = run.figures()
            if repetition == 0 and name == (options.scheduler or ["berth"])[0]:
                print_row("", figures)
            print_row(name, (f"{value:.2f}" if value < 100 else f"{value:.0f}" for value in figures.values()))
            if options.life:
                parts, is_level = run.memory()
                print("memory in MB, by eighths of the pods: " + " ".join(f"{part:.0f}" for part in parts) +
                      (": level" if is_level else ": it grows"))
                level = level and is_level
            shutil.rmtree(folder)
    sys.exit(0 if level else 1)


if __name__ == "__main__":
    main()
