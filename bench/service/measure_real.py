"""How fast pods are bound at a real API server, and how long each waits for it.

    measure_real.py --build build/release                              # 1,000 nodes, 5,000 pods that are there
    measure_real.py --build build/release --nodes 5000 --pods 20000 --repetitions 2
    measure_real.py --build build/release --rate 400                   # latencies: pods come at that rate

A new etcd and kube-apiserver serve each run. They and the scheduler share the machine's cores. Runs go in turns over
what is measured: `binding` is a client that only binds, `writing` one that also watches the pods and writes an event
for each, `berth` and `kube` are the schedulers. Needs the programs of Kubernetes in $KUBEBUILDER_ASSETS or
/usr/local/kubebuilder/bin.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

from measure import processor_seconds

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/run/service"))
from cluster import real_binary  # noqa: E402
from real_cluster import POD_PATH, SECOND, RealServer  # noqa: E402

PATIENCE = 300  # seconds
NO_NODE = "?fieldSelector=spec.nodeName%3D&resourceVersion=0"
LIMITS = ("--kube-api-qps=5000", "--kube-api-burst=5000")


class Measured:
    def __init__(self, options, folder):
        self.options = options
        self.server = RealServer(folder, audit=False)
        self.client("nodes", "--count", options.nodes)

    def client(self, command, *arguments):
        """What bench_api prints."""
        program = os.path.join(self.options.build, "test/bench_api")
        line = [program, command, "--kubeconfig", self.server.kubeconfig, *map(str, arguments)]
        return subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def start(self, name):
        kubeconfig = self.server.user(SECOND).kubeconfig
        line = {"berth": [os.path.join(self.options.build, "bin/berth"), "serve"],
                "kube": [real_binary("kube-scheduler"), "--authentication-kubeconfig", kubeconfig,
                         "--authorization-kubeconfig", kubeconfig]}[name]
        with open(self.server.path("messages"), "w") as file:
            line += ["--kubeconfig", kubeconfig, "--leader-elect=false", "--secure-port=0", *LIMITS]
            return subprocess.Popen(line, stdout=file, stderr=file)

    def bound(self, number):
        status, pod = self.server.ask("GET", f"{POD_PATH}/p-{number:06}")
        return status == 200 and pod["spec"].get("nodeName")

    def rate(self, name):
        """Bound pods a second. Some pods tell when the first and the last was bound: lists of all would cost the server."""
        pods = self.options.pods
        self.client("pods", "--count", pods)
        time.sleep(3)
        if name in ("binding", "writing"):
            return self.client("bind", *(["--watch", "--events"] if name == "writing" else []))
        some = random.sample(range(pods), min(pods, 20))
        began, first = time.monotonic(), None
        process = self.start(name)
        while time.monotonic() < began + PATIENCE:
            count = sum(1 for one in some if self.bound(one))
            if count and first is None:
                first = time.monotonic()
            if count == len(some) and not self.server.items("/api/v1/pods" + NO_NODE):
                break
            time.sleep(0.1)
        else:
            sys.exit(f"measure_real.py: {name} has not bound all pods within {PATIENCE} s")
        last = time.monotonic()
        took = last - first
        return (f"bound {pods} pods in {took:.2f} s, {pods / took:.0f}/s; the first {first - began:.2f} s after the start; "
                f"{self.end(process)}")

    def latency(self, name):
        if name in ("binding", "writing"):
            sys.exit("measure_real.py: --rate is for --scheduler berth and kube")
        process = self.start(name)
        time.sleep(5)
        line = self.client("pods", "--count", self.options.pods, "--rate", self.options.rate, "--bound")
        return f"{line}; {self.end(process)}"

    def end(self, process):
        seconds = processor_seconds(process.pid)
        process.terminate()
        process.wait(60)
        return f"{seconds:.2f} s of a core"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="the folder of the build")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--pods", type=int, default=5000)
    parser.add_argument("--rate", type=float, help="pods a second, which come while the scheduler runs")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--scheduler", action="append", choices=("binding", "writing", "berth", "kube"),
                        help="what to measure; more than once; default: all, or both schedulers with --rate")
    options = parser.parse_args()
    for name in ("etcd", "kube-apiserver", "kube-scheduler"):
        real_binary(name)
    names = options.scheduler or (["berth", "kube"] if options.rate else ["binding", "writing", "berth", "kube"])
    for _ in range(options.repetitions):
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                run = Measured(options, folder)
                try:
                    print(f"{name:8} {run.latency(name) if options.rate else run.rate(name)}", flush=True)
                finally:
                    run.server.end()


if __name__ == "__main__":
    main()
