"""Clusters and pods, drawn for the question how many copies of a pod fit."""

from types import SimpleNamespace

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
SIZES = ((2, 4), (4, 8), (4, 32), (8, 16), (16, 64))  # cores, GiB
TAINTS = ({"key": "team", "value": "red", "effect": "NoSchedule"}, {"key": "old", "effect": "NoExecute"},
          {"key": "busy", "value": "yes", "effect": "PreferNoSchedule"})
APPS = ("a", "b", "c")
GPU = "example.com/gpu"


def selector(*apps):
    return {"matchExpressions": [{"key": "app", "operator": "In", "values": sorted(set(apps))}]}


def container(draw, **more):
    amounts = {"cpu": draw.choice(("100m", "250m", "500m", "1", "1500m")),
               "memory": draw.choice(("64Mi", "256Mi", "1Gi", "2Gi"))}
    return {"name": "c", "image": draw.choice(("web:1", "db:2")), "resources": {"requests": {**amounts, **more}}}


def a_node(draw, name, zones):
    cores, memory = draw.choice(SIZES)
    amounts = {"cpu": f"{cores * 1000 - draw.choice((0, 70, 130))}m", "memory": f"{memory}Gi",
               "pods": str(draw.choice((4, 8, 12, 30)))}
    if draw.random() < 0.2:
        amounts[GPU] = str(draw.choice((1, 2, 8)))
    labels = {HOST: name, "disk": draw.choice(("ssd", "hdd")), "rank": str(draw.randrange(6))}
    if draw.random() < 0.95:
        labels[ZONE] = draw.choice(zones)
    spec = {"taints": [taint for taint in TAINTS if draw.random() < 0.12]}
    if draw.random() < 0.05:
        spec["unschedulable"] = True
    status = {"capacity": amounts, "allocatable": amounts}
    if draw.random() < 0.3:
        status["images"] = [{"names": ["web:1"], "sizeBytes": draw.randrange(30, 900) << 20}]
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec,
            "status": status}


def pod_term(draw, *apps):
    term = {"topologyKey": draw.choice((ZONE, HOST, HOST)), "labelSelector": selector(*apps)}
    if draw.random() < 0.2:
        term["namespaceSelector"] = {}
    return term


def a_placed_pod(draw, name, node):
    spec = {"nodeName": node, "containers": [container(draw)]}
    if draw.random() < 0.08:
        spec["affinity"] = {"podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [pod_term(draw, draw.choice(APPS))]}}
    elif draw.random() < 0.1:
        spec["affinity"] = {draw.choice(("podAffinity", "podAntiAffinity")): {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": draw.randrange(1, 101), "podAffinityTerm": pod_term(draw, draw.choice(APPS))}]}}
    if draw.random() < 0.1:
        spec["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 8080, "protocol": "TCP"}]
    return {"apiVersion": "v1", "kind": "Pod", "spec": spec,
            "metadata": {"name": name, "namespace": draw.choice(("default", "default", "other")),
                         "labels": {"app": draw.choice(APPS)}}}


def node_affinity(draw):
    expressions = draw.choice((
        [{"key": "disk", "operator": "In", "values": ["ssd"]}], [{"key": "disk", "operator": "NotIn", "values": ["ssd"]}],
        [{"key": ZONE, "operator": "Exists"}], [{"key": "rank", "operator": "Gt", "values": ["1"]}]))
    terms = [{"matchExpressions": expressions}]
    if draw.random() < 0.3:
        terms.append({"matchExpressions": [{"key": "rank", "operator": "Lt", "values": ["2"]}]})
    affinity = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    if draw.random() < 0.5:
        affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
            {"weight": 30, "preference": {"matchExpressions": [{"key": "rank", "operator": "Gt", "values": ["3"]}]}}]
    return affinity


def spread(draw, app):
    one = {"maxSkew": draw.randrange(1, 4), "topologyKey": draw.choice((ZONE, HOST)),
           "whenUnsatisfiable": draw.choice(("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
           "labelSelector": selector(app)}
    if one["whenUnsatisfiable"] == "DoNotSchedule" and draw.random() < 0.2:
        one["minDomains"] = draw.randrange(1, 5)
    for policy in ("nodeTaintsPolicy", "nodeAffinityPolicy"):
        if draw.random() < 0.3:
            one[policy] = draw.choice(("Honor", "Ignore"))
    return one


def relations(draw, app):
    """To other pods, and to the copies themselves."""
    affinity = {}
    if draw.random() < 0.25:
        affinity["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [
            pod_term(draw, draw.choice((app, *APPS)))]}
    if draw.random() < 0.2:
        affinity["podAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": draw.choice((ZONE, HOST)), "labelSelector": selector(app, draw.choice(APPS))}]}
    if draw.random() < 0.2:
        affinity.setdefault("podAffinity", {})["preferredDuringSchedulingIgnoredDuringExecution"] = [
            {"weight": draw.randrange(1, 101), "podAffinityTerm": pod_term(draw, draw.choice(APPS))}]
    return affinity


def a_template(draw):
    app = draw.choice(APPS)
    spec = {"containers": [container(draw, **({GPU: "1"} if draw.random() < 0.1 else {}))]}
    requests = spec["containers"][0]["resources"]["requests"]
    if GPU in requests:
        spec["containers"][0]["resources"]["limits"] = {GPU: requests[GPU]}
    if draw.random() < 0.15:
        spec["initContainers"] = [{**container(draw), "name": "first"}]
        if draw.random() < 0.5:
            spec["initContainers"][0]["restartPolicy"] = "Always"
    if draw.random() < 0.1:
        spec["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 8080, "protocol": "TCP"}]
    if draw.random() < 0.2:
        spec["nodeSelector"] = {"disk": draw.choice(("ssd", "hdd"))}
    if draw.random() < 0.4:
        spec["tolerations"] = [draw.choice(({"key": "team", "operator": "Equal", "value": "red"},
                                            {"key": "old", "operator": "Exists", "effect": "NoExecute"},
                                            {"operator": "Exists"}))]
    if draw.random() < 0.4:
        both = {one["topologyKey"]: one for one in (spread(draw, app) for _ in range(draw.randrange(1, 3)))}
        spec["topologySpreadConstraints"] = list(both.values())
    affinity = relations(draw, app)
    if draw.random() < 0.25:
        affinity["nodeAffinity"] = node_affinity(draw)
    if affinity:
        spec["affinity"] = affinity
    if draw.random() < 0.15:
        spec["priorityClassName"] = "urgent"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "copied", "labels": {"app": app}}, "spec": spec}


def draw_cluster(draw):
    """Nodes, the pods on them, Services and the pod that is copied."""
    zones = [f"z{i}" for i in range(draw.randrange(1, 5))]
    nodes = [a_node(draw, f"n{i:02}", zones) for i in range(draw.randrange(10, 61))]
    names = [node["metadata"]["name"] for node in nodes for _ in range(draw.randrange(4))]
    pods = [a_placed_pod(draw, f"p{i:03}", node) for i, node in enumerate(names)]
    services = [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": f"s-{app}", "namespace": "default"},
                 "spec": {"selector": {"app": app}, "ports": [{"port": 80}]}} for app in APPS if draw.random() < 0.4]
    return SimpleNamespace(nodes=nodes, pods=pods, services=services, template=a_template(draw))
