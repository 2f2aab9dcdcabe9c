"""A volume whose claim waits for its first pod, and the controller that a test has to play."""

from cluster import wait_for

STORAGE = "storage.k8s.io/v1"


def add_volume(server, name, node):
    server.create(f"/apis/{STORAGE}/storageclasses",
                  {"apiVersion": STORAGE, "kind": "StorageClass", "metadata": {"name": name},
                   "provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"})
    host = {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}
    server.create("/api/v1/persistentvolumes",
                  {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
                   "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": name,
                            "local": {"path": "/tmp"},
                            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [host]}]}}}})
    # As its controller does.
    server.patch(f"/api/v1/persistentvolumes/{name}/status", {"status": {"phase": "Available"}})
    server.create("/api/v1/namespaces/default/persistentvolumeclaims",
                  {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
                   "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": name,
                            "resources": {"requests": {"storage": "1Gi"}}}})


def play_volume_controller(server, name):
    """Binds the claim when the scheduler has chosen its volume."""
    volume, claim = f"/api/v1/persistentvolumes/{name}", f"/api/v1/namespaces/default/persistentvolumeclaims/{name}"
    chosen = wait_for("a volume", lambda: server.items("/api/v1/persistentvolumes")[0]["spec"].get("claimRef"))
    assert chosen["name"] == name and chosen["uid"] == server.ask("GET", claim)[1]["metadata"]["uid"], chosen
    server.patch(claim, {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
                         "spec": {"volumeName": name}})
    server.patch(volume + "/status", {"status": {"phase": "Bound"}})
    server.patch(claim + "/status", {"status": {"phase": "Bound", "accessModes": ["ReadWriteOnce"],
                                                "capacity": {"storage": "1Gi"}}})
