"""Reads metrics on standard input as Prometheus does, and compares types, labels and buckets with
those of kube-scheduler v1.34.1 (pkg/scheduler/metrics/metrics.go)."""

import math
import sys

from prometheus_client.parser import text_string_to_metric_families


def buckets(first, factor, count):
    return [first * factor**i for i in range(count)] + [math.inf]


ATTEMPT = buckets(0.001, 2, 15)
# Names without _total: type, labels, buckets.
FAMILIES = {
    "scheduler_schedule_attempts": ("counter", {"result", "profile"}, None),
    "scheduler_scheduling_attempt_duration_seconds": ("histogram", {"result", "profile"}, ATTEMPT),
    "scheduler_scheduling_algorithm_duration_seconds": ("histogram", set(), ATTEMPT),
    "scheduler_pod_scheduling_sli_duration_seconds": (
        "histogram", {"attempts"}, buckets(0.01, 2, 20)),
    "scheduler_pod_scheduling_attempts": ("histogram", set(), buckets(1, 2, 5)),
    "scheduler_preemption_attempts": ("counter", set(), None),
    "scheduler_preemption_victims": ("histogram", set(), buckets(1, 2, 7)),
    "scheduler_queue_incoming_pods": ("counter", {"queue", "event"}, None),
    "scheduler_pending_pods": ("gauge", {"queue"}, None),
    "scheduler_unschedulable_pods": ("gauge", {"plugin", "profile"}, None),
    "scheduler_cache_size": ("gauge", {"type"}, None),
    "scheduler_goroutines": ("gauge", {"operation"}, None),
    "scheduler_plugin_evaluation": ("counter", {"plugin", "extension_point", "profile"}, None),
    "scheduler_framework_extension_point_duration_seconds": (
        "histogram", {"extension_point", "status", "profile"}, buckets(0.0001, 2, 12)),
    "scheduler_plugin_execution_duration_seconds": (
        "histogram", {"plugin", "extension_point", "status"}, buckets(0.00001, 1.5, 20)),
    "scheduler_event_handling_duration_seconds": (
        "histogram", {"event"}, buckets(0.0001, 2, 12)),
    "scheduler_pod_scheduled_after_flush": ("counter", set(), None),
    "scheduler_batch_attempts": ("counter", {"profile", "result"}, None),
    "scheduler_batch_cache_flushed": ("counter", {"profile", "reason"}, None),
    "scheduler_get_node_hint_duration_seconds": (
        "histogram", {"hinted", "profile"}, buckets(0.00001, 2, 12)),
    "scheduler_store_schedule_results_duration_seconds": (
        "histogram", {"profile"}, buckets(0.00001, 2, 12)),
}


def check(wanted, found, what):
    if wanted != found:
        sys.exit(f"metrics.py: {what}: expected {wanted}, found {found}")


def check_histogram(family, bounds):
    series = {}
    for sample in family.samples:
        labels = frozenset(item for item in sample.labels.items() if item[0] != "le")
        parts = series.setdefault(labels, {"bucket": [], "count": None, "sum": None})
        part = sample.name.removeprefix(family.name + "_")
        if part == "bucket":
            parts["bucket"].append((float(sample.labels["le"]), sample.value))
        else:
            parts[part] = sample.value
    for labels, parts in series.items():
        where = f"{family.name} {sorted(labels)}"
        check(len(bounds), len(parts["bucket"]), f"{where}: buckets")
        for wanted, (bound, _) in zip(bounds, parts["bucket"]):
            if not (wanted == bound or math.isclose(wanted, bound)):
                check(wanted, bound, f"{where}: bound")
        counts = [count for _, count in parts["bucket"]]
        check(sorted(counts), counts, f"{where}: counts that do not fall")
        check(counts[-1], parts["count"], f"{where}: count")
        if parts["sum"] is None or parts["sum"] < 0:
            sys.exit(f"metrics.py: {where}: sum is {parts['sum']}")


families = {f.name: f for f in text_string_to_metric_families(sys.stdin.read())}
check(sorted(FAMILIES), sorted(families), "families")
for name, (kind, labels, bounds) in FAMILIES.items():
    family = families[name]
    check(kind, family.type, f"{name}: type")
    if not family.documentation:
        sys.exit(f"metrics.py: {name}: no help")
    for sample in family.samples:
        check(labels, set(sample.labels) - {"le"}, f"{name}: labels")
    if bounds:
        check_histogram(family, bounds)
print(f"{len(families)} families")
