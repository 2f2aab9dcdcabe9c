#pragma once

// A core with the controllers of workloads, and shorthand for workloads and what becomes of their
// pods.

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/workloads/made_pods.h"
#include "engine/model/objects/controller_objects.h"
#include "tests/runtime/controllers/testing.h"

namespace berth::tests {

class WorkloadsTest : public PlayedTest {
 protected:
  void SetUp() override {
    start();
    core->report_to([this](const runtime::Report& report) { hear(report); });
    apply(model::added(node("n")));
    apply(model::added(node("m")));
  }
  void hear(const runtime::Report& report) {
    note(report);
    if (const auto* arrived = std::get_if<runtime::Arrived>(&report))
      for (const model::PodId pod : arrived->pods) created_.push_back(name_of(pod));
  }
  std::string name_of(model::PodId pod) {
    return std::string(cluster().text(cluster().pod(pod).name));
  }
  std::vector<std::string> created() { return std::exchange(created_, {}); }

  static model::Workload workload(model::WorkloadKind kind, const std::string& name,
                                  uint64_t replicas) {
    constexpr const char* kKinds[] = {"ReplicaSet",  "ReplicaSet", "ReplicationController",
                                      "StatefulSet", "DaemonSet",  "Job"};
    model::Workload it;
    it.kind = kind;
    it.name = name;
    it.namespace_name = "default";
    it.controller = {"apps/v1", kKinds[static_cast<size_t>(kind)], name, "uid-" + name};
    it.replicas = it.next_ordinal = replicas;
    model::Pod like = pod("");
    like.uid.clear();
    like.spec.containers[0].name = "main";
    if (kind == model::WorkloadKind::kDaemonSet)
      ingest::tolerate_as_daemon(false, like.spec.tolerations);
    it.pod = std::make_shared<model::Pod>(like);
    return it;
  }
  static model::ControllerObject object(const model::Workload& workload) {
    constexpr const char* kKinds[] = {"Deployment",  "ReplicaSet", "ReplicationController",
                                      "StatefulSet", "DaemonSet",  "Job"};
    auto data = std::make_shared<model::ControllerObjectData>();
    data->value = workload;
    return {kKinds[static_cast<size_t>(workload.kind)], workload.name, "default", {}, data};
  }
  // The workload and its first pods, as ingest makes them, which are bound.
  void begin(const model::Workload& of) {
    apply(model::added(object(of)));
    std::vector<model::Pod> pods;
    for (uint64_t i = 0; i < of.replicas; ++i) {
      if (of.kind == model::WorkloadKind::kStatefulSet)
        pods.push_back(ingest::stateful_pod(of, static_cast<int64_t>(i)));
      else if (of.job.indexed)
        pods.push_back(ingest::indexed_pod(of, ingest::suffixed_name(of, i, i), i));
      else
        pods.push_back(ingest::replica_pod(of, ingest::suffixed_name(of, i)));
    }
    for (const model::Pod& pod : pods) first_.push_back(pod.name);
    schedule(pods);
    pass({});
    created();
    take();
  }
  void change(const model::Workload& to) {
    apply(model::modified(object(to)));
    settle();
  }
  void settle() {
    pass({});
    while (core->has_active()) core->step();
    core->settle();
    pass({});
  }
  void remove(const std::string& name) {
    apply(model::deleted_pod("default", name));
    settle();
  }
  // With its grace period.
  void terminate(const std::string& name) {
    server->delete_pod(find(name), core->now() + std::chrono::seconds(30));
    settle();
  }
  void finish(const std::string& name, runtime::PodFinish how) {
    core->door().finish(find(name), how);
    settle();
  }
  std::vector<std::string> pods() {
    std::vector<std::string> names;
    cluster().pods().for_each([&](const model::PodRecord& pod) {
      names.push_back(std::string(cluster().text(pod.name)) + (pod.terminating ? " ends" : ""));
    });
    std::ranges::sort(names);
    return names;
  }

  std::vector<std::string> created_;
  std::vector<std::string> first_;  // names of the pods that came first
};

}  // namespace berth::tests
