"""Processes of a test with a real socket: an API server in memory, `berth serve` as its scheduler, and programs of
Kubernetes where they are installed."""

import concurrent.futures
import ctypes
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

# Of everything that a test waits for, in seconds: sanitizers and busy machines are slow.
LIMIT = 240

# What may come of a request while servers or connections end. A refusal is an AssertionError.
FAULTS = (OSError, http.client.HTTPException, AssertionError)


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


class Client:
    """What tests ask of an API server, whose address is `url`."""

    headers = {}
    tls = None  # an ssl.SSLContext

    def ask(self, method, path, body=None, kind="application/json"):
        """The status and the object of the answer. Faults of the server are tried again by nobody."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": kind, **self.headers}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT, context=self.tls) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def create(self, path, body):
        status, answer = self.ask("POST", path, body)
        assert status == 201, (status, answer)
        return answer

    def patch(self, path, body):
        status, answer = self.ask("PATCH", path, body, "application/merge-patch+json")
        assert status == 200, (path, answer)

    def items(self, path):
        status, answer = self.ask("GET", path)
        assert status == 200, (status, answer)
        return answer["items"]

    def pods(self):
        return {pod["metadata"]["name"]: pod for pod in self.items("/api/v1/pods")}

    def add_node(self, name, cpus, pods=110, labels=None, **spec):
        amounts = {"cpu": str(cpus), "memory": "64Gi", "pods": str(pods)}
        self.create("/api/v1/nodes",
                    {"apiVersion": "v1", "kind": "Node", "spec": spec,
                     "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
                     "status": {"allocatable": amounts, "capacity": amounts}})

    def add_pod(self, name, cpus="1", labels=None, container=None, **spec):
        """`container`: further fields of it."""
        one = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpus}}, **(container or {})}
        return self.create("/api/v1/namespaces/default/pods",
                           {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels or {}},
                            "spec": {"containers": [one], **spec}})

    def add_priority_class(self, name, value):
        self.create("/apis/scheduling.k8s.io/v1/priorityclasses",
                    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name},
                     "value": value})


def surely(create, *arguments, **fields):
    """Creates something that has a name: asks again until it is there."""
    end = time.monotonic() + LIMIT
    while True:
        try:
            return create(*arguments, **fields)
        except FAULTS as fault:
            if "AlreadyExists" in str(fault):
                return None
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


class Load:
    """Pods that are created while other things happen."""

    def __init__(self, server, names, **fields):
        self.pool = concurrent.futures.ThreadPoolExecutor(8)
        self.created = [self.pool.submit(surely, server.add_pod, name, **fields) for name in names]

    def wait(self):
        for one in self.created:
            one.result()
        self.pool.shutdown()


class ApiServer(Client):
    """The program `apiserver` over plain HTTP. It ends with this process. Its clock is `ahead` by so many seconds."""

    def __init__(self, program, folder, faults=(), ahead=0):
        self.kubeconfig = os.path.join(folder, "kubeconfig")
        arguments = [program, "--plain", "--kubeconfig", self.kubeconfig, "--grace-scale", "0", "--ahead", str(ahead)]
        for fault in faults:
            arguments += ["--fault", fault]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url
        self.port = int(self.url.rsplit(":", 1)[1])

    def behind(self, proxy):
        """What a Scheduler needs to reach it through a proxy."""
        path = f"{self.kubeconfig}-{proxy.port}"
        with open(self.kubeconfig) as own, open(path, "w") as file:
            file.write(own.read().replace(self.url, f"http://127.0.0.1:{proxy.port}"))
        return SimpleNamespace(kubeconfig=path)

    def end(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)


def end_with_parent():
    """In a child: it is killed when the test ends, however that ends."""
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


class Program:
    """A program with its messages in a file."""

    def __init__(self, folder, name, *command):
        self.messages = os.path.join(folder, name)
        with open(self.messages, "w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file, preexec_fn=end_with_parent)

    def text(self):
        with open(self.messages) as file:
            return file.read()

    def signal(self, signal):
        self.process.send_signal(signal)

    def end(self, signal):
        """The exit status; of one that a signal ended, its negative number."""
        self.signal(signal)
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


class Scheduler(Program):
    """`berth serve`, or another command that takes a kubeconfig."""

    def __init__(self, program, server, folder, name, *options, command=("serve",)):
        super().__init__(folder, name, program, *command, "--kubeconfig", server.kubeconfig, *options)


def pass_on(source, target, hear):
    try:
        while part := source.recv(1 << 16):
            hear(part)
            target.sendall(part)
    except OSError:
        pass
    for one in (source, target):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Proxy:
    """Passes connections on to a port of 127.0.0.1. `heard` is what clients sent."""

    def __init__(self, target):
        self.target, self.heard, self.open = target, bytearray(), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.open.append(client)
            for ends in ((client, server, self.heard.extend), (server, client, lambda part: None)):
                threading.Thread(target=pass_on, args=ends, daemon=True).start()

    def cut(self):
        """Ends all connections, whatever is on its way."""
        ended, self.open = self.open, []
        for one in ended:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut_each(self, seconds):
        """From now on, all connections end after that time at the latest."""
        def run():
            while True:
                time.sleep(seconds)
                self.cut()
        threading.Thread(target=run, daemon=True).start()


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
