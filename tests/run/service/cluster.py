"""Processes of a test with a real socket: an API server in memory, `berth serve` as its scheduler, and programs of
Kubernetes where they are installed."""

import json
import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

# Of everything that a test waits for, in seconds: sanitizers and busy machines are slow.
LIMIT = 240


def wait_for(what, check):
    end = time.monotonic() + LIMIT
    while not (value := check()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {LIMIT} s: {what}")
        time.sleep(0.02)
    return value


def real_binary(name):
    """The path of a program of Kubernetes, where envtest has them. Without it the test ends here, as skipped."""
    path = os.path.join(os.environ.get("KUBEBUILDER_ASSETS", "/usr/local/kubebuilder/bin"), name)
    if not os.access(path, os.X_OK):
        print(f"skipped: there is no {path}; KUBEBUILDER_ASSETS names the folder of {name}")
        sys.exit(77)
    return path


class ApiServer:
    """The program `apiserver` over plain HTTP. It ends with this process."""

    def __init__(self, program, folder, faults=()):
        self.kubeconfig = os.path.join(folder, "kubeconfig")
        arguments = [program, "--plain", "--kubeconfig", self.kubeconfig, "--grace-scale", "0"]
        for fault in faults:
            arguments += ["--fault", fault]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url

    def ask(self, method, path, body=None):
        """The status and the object of the answer. Faults of the server are tried again by nobody."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def create(self, path, body):
        status, answer = self.ask("POST", path, body)
        assert status == 201, (status, answer)
        return answer

    def items(self, path):
        status, answer = self.ask("GET", path)
        assert status == 200, (status, answer)
        return answer["items"]

    def pods(self):
        return {pod["metadata"]["name"]: pod for pod in self.items("/api/v1/pods")}

    def add_node(self, name, cpus, pods=110):
        amounts = {"cpu": str(cpus), "memory": "64Gi", "pods": str(pods)}
        self.create("/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name},
                                      "status": {"allocatable": amounts, "capacity": amounts}})

    def add_pod(self, name, cpus="1", **spec):
        container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpus}}}
        return self.create("/api/v1/namespaces/default/pods",
                           {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
                            "spec": {"containers": [container], **spec}})

    def end(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)


class Scheduler:
    """A scheduler with its messages in a file: `berth serve`, or another command that takes a kubeconfig."""

    def __init__(self, program, server, folder, name, *options, command=("serve",)):
        self.messages = os.path.join(folder, name)
        with open(self.messages, "w") as file:
            self.process = subprocess.Popen(
                [program, *command, "--kubeconfig", server.kubeconfig, *options], stdout=file, stderr=file)

    def text(self):
        with open(self.messages) as file:
            return file.read()

    def end(self, signal):
        self.process.send_signal(signal)
        return self.process.wait(LIMIT)


class Kubectl:
    """kubectl with its files in a folder. A call returns what it prints; any warning or error of it fails the test."""

    def __init__(self, server, folder):
        self.command = [real_binary("kubectl"), "--kubeconfig", server.kubeconfig]
        self.environment = {"HOME": folder, "KUBECACHEDIR": os.path.join(folder, "cache")}

    def __call__(self, *arguments, text=None, warning=""):
        done = subprocess.run([*self.command, *arguments], input=text, capture_output=True, text=True,
                              env=self.environment, timeout=LIMIT)
        assert done.returncode == 0 and done.stderr == warning, (arguments, done)
        return done.stdout

    def refused(self, *arguments):
        """What it says of an order that the server refuses."""
        done = subprocess.run([*self.command, *arguments], capture_output=True, text=True, env=self.environment,
                              timeout=LIMIT)
        assert done.returncode == 1 and done.stdout == "", (arguments, done)
        return done.stderr

    def watch(self, *arguments):
        """A process that prints lines until it is ended."""
        return subprocess.Popen([*self.command, *arguments, "--watch"], stdout=subprocess.PIPE, text=True,
                                env=self.environment)


def free_port():
    """A port of this machine that nobody listened on a moment ago."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def scrape(port):
    """The metrics of a scheduler, whose certificate is its own."""
    context = ssl._create_unverified_context()
    with urllib.request.urlopen(f"https://127.0.0.1:{port}/metrics", timeout=LIMIT, context=context) as answer:
        return answer.read().decode()


def node_of(pod):
    return pod["spec"].get("nodeName")


def condition(pod, kind):
    for one in pod.get("status", {}).get("conditions", []):
        if one["type"] == kind:
            return one
    return None


def check_nodes(server):
    """No node has more pods or processors than it has room for, by the server's own objects."""
    used = {}
    for pod in server.pods().values():
        if node := node_of(pod):
            cpus, pods = used.get(node, (0, 0))
            used[node] = cpus + int(pod["spec"]["containers"][0]["resources"]["requests"]["cpu"]), pods + 1
    room = {n["metadata"]["name"]: n["status"]["allocatable"] for n in server.items("/api/v1/nodes")}
    for node, (cpus, pods) in used.items():
        assert cpus <= int(room[node]["cpu"]), f"{node} has {cpus} processors requested"
        assert pods <= int(room[node]["pods"]), f"{node} has {pods} pods"
