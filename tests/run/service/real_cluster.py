"""A real API server of Kubernetes with its etcd, for tests on one machine. Both keep to 127.0.0.1."""

import collections
import json
import os
import random
import signal
import socket
import ssl
import subprocess
import time
from types import SimpleNamespace

from cluster import FAULTS, LIMIT, Client, Program, real_binary, wait_for

ADMIN = "admin"
# Two processes of one user. The audit log tells their UIDs apart.
FIRST, SECOND = "first", "second"
TOKENS = (f'{ADMIN},admin,admin,"system:masters"', f"{FIRST},system:kube-scheduler,{FIRST}",
          f"{SECOND},system:kube-scheduler,{SECOND}")

AUDIT_POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: None, users: [admin]}, {level: Metadata}]
"""

POD_PATH = "/api/v1/namespaces/default/pods"
# What a new server makes by itself, after it began to serve.
FIRST_OBJECTS = ("/api/v1/namespaces/default", "/api/v1/namespaces/kube-system",
                 "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
                 "/apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical",
                 "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:volume-scheduler",
                 "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings/"
                 "system::leader-locking-kube-scheduler")

KUBECONFIG = """apiVersion: v1
kind: Config
current-context: it
clusters: [{{name: it, cluster: {{server: "{url}", certificate-authority: {authority}}}}}]
users: [{{name: it, user: {{token: "{token}"}}}}]
contexts: [{{name: it, context: {{cluster: it, user: it}}}}]
"""


def free_port():
    """Below those that the system gives to clients, so that none of them takes it meanwhile."""
    while True:
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port := random.randrange(20000, 30000)))
                return port
            except OSError:
                pass


def now():
    """As audit logs write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(at := time.time())) + f"{int(at % 1 * 1e6):06}Z"


class RealServer(Client):
    """Everything of it is in `folder`. It ends with this process. `audit`: it writes the log that audit() reads."""

    def __init__(self, folder, audit=True):
        self.audits = audit
        self.folder, self.port, self.etcd_port = folder, free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.headers = {"Authorization": f"Bearer {ADMIN}"}
        self.authority = self.path("certificates/apiserver.crt")
        self.write("tokens.csv", "\n".join(TOKENS))
        self.write("audit.yaml", AUDIT_POLICY)
        # Of the tokens of ServiceAccounts, and an authority of clients.
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-subj", "/CN=clients", "-keyout", self.path("key.pem"),
                        "-out", self.path("clients.crt")], check=True, capture_output=True)
        self.kubeconfig = self.user(ADMIN).kubeconfig
        self.audited = 0  # bytes of the log that no scene asks for any more
        self.etcd = self.start_etcd()
        self.start()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def user(self, token, port=None):
        """What a Scheduler needs to be that user, at another port if a proxy is between."""
        text = KUBECONFIG.format(url=f"https://127.0.0.1:{port or self.port}", authority=self.authority, token=token)
        return SimpleNamespace(kubeconfig=self.write(f"kubeconfig-{token[-8:]}-{port or self.port}", text))

    def start_etcd(self):
        peers = f"http://127.0.0.1:{free_port()}"
        address = f"http://127.0.0.1:{self.etcd_port}"
        return Program(self.folder, "etcd.log", real_binary("etcd"), "--data-dir", self.path("etcd"),
                       "--listen-client-urls", address, "--advertise-client-urls", address, "--listen-peer-urls", peers,
                       "--initial-advertise-peer-urls", peers, "--initial-cluster", f"default={peers}",
                       "--unsafe-no-fsync")

    def start(self):
        """Returns when it serves."""
        authority, key = self.path("clients.crt"), self.path("key.pem")
        self.server = Program(
            self.folder, "api.log", real_binary("kube-apiserver"), f"--etcd-servers=http://127.0.0.1:{self.etcd_port}",
            "--bind-address=127.0.0.1", f"--secure-port={self.port}", f"--service-account-key-file={authority}",
            f"--service-account-signing-key-file={key}", "--service-account-issuer=https://test",
            f"--client-ca-file={authority}",
            f"--token-auth-file={self.path('tokens.csv')}", "--authorization-mode=RBAC",
            f"--cert-dir={os.path.dirname(self.authority)}", "--service-cluster-ip-range=10.0.0.0/24",
            *([f"--audit-policy-file={self.path('audit.yaml')}", f"--audit-log-path={self.path('audit.log')}"]
              if self.audits else []),
            # No controllers run: they would make the first, and untaint nodes after the second.
            "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")
        wait_for("the API server", self.serves)

    def serves(self):
        assert self.server.process.poll() is None, self.server.text()[-2000:]
        try:
            self.tls = ssl.create_default_context(cafile=self.authority)
            return all(self.ask("GET", path)[0] == 200 for path in FIRST_OBJECTS)
        except FAULTS:
            return False

    def kubectl(self, *arguments, given=""):
        """What it prints."""
        environment = {**os.environ, "HOME": self.folder, "KUBECONFIG": self.kubeconfig}
        done = subprocess.run([real_binary("kubectl"), *arguments], input=given, env=environment, text=True,
                              capture_output=True, timeout=LIMIT)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def remove(self, path):
        """At once; with the path of a collection, all that is in it."""
        status, answer = self.ask("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1",
                                                   "gracePeriodSeconds": 0})
        assert status == 200, (path, answer)

    def clear(self):
        """Removes what scenes leave. The audit log begins anew."""
        for path in (POD_PATH, "/api/v1/nodes", "/api/v1/namespaces/default/events"):
            self.remove(path)
        self.audited = os.path.getsize(self.path("audit.log"))

    def audit(self):
        """Requests that were answered since clear()."""
        with open(self.path("audit.log")) as file:
            file.seek(self.audited)
            return [json.loads(line) for line in file if line.endswith("\n")]

    def without_node(self):
        """The pods that are not bound, while there is a server that tells. Nothing: there is none."""
        try:
            return [pod["metadata"]["name"] for pod in self.items(POD_PATH + "?fieldSelector=spec.nodeName%3D")]
        except FAULTS:
            return None

    def wait_for_bindings(self, left=()):
        """Until all pods but these are bound."""
        def check():
            time.sleep(0.1)  # a list of pods costs the server more than a binding
            return (names := self.without_node()) is not None and sorted(names) == sorted(left)
        try:
            wait_for("bindings", check)
        except AssertionError:
            names = self.without_node()
            raise AssertionError(f"without a node: {names and (len(names), names[:20])}")

    def kill(self):
        self.server.end(signal.SIGKILL)

    def end(self):
        self.kill()
        self.etcd.end(signal.SIGKILL)


def writes(entries, uid=None):
    """The entries of the audit log that write, of one process."""
    return [one for one in entries if one["verb"] not in ("get", "list", "watch") and
            uid in (None, one["user"].get("uid"))]


def bindings(entries):
    """How often each pod was bound, by its name."""
    bound = (one["objectRef"] for one in entries if one["verb"] == "create" and one["responseStatus"]["code"] == 201)
    return collections.Counter(what["name"] for what in bound if what.get("subresource") == "binding")
