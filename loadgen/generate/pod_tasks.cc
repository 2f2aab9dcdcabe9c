#include "loadgen/generate/pod_tasks.h"

#include <algorithm>
#include <utility>

namespace berth::loadgen {

void PodTasks::add_replicas(uint32_t owner, uint64_t pods, bool measured) {
  tasks_.push_back({.kind = Kind::kReplicas, .measured = measured, .of = owner, .to = pods});
}

void PodTasks::add_daemons(size_t daemon_set, uint64_t nodes, bool measured) {
  tasks_.push_back({.kind = Kind::kDaemonSet, .measured = measured, .of = daemon_set, .to = nodes});
}

void PodTasks::add_daemons_of_node(uint64_t node, bool measured) {
  if (daemon_sets_.count() == 0) return;
  tasks_.push_back(
      {.kind = Kind::kDaemonsOfNode, .measured = measured, .of = node, .to = daemon_sets_.count()});
}

void PodTasks::add_job(ArrivingJob job, bool measured) {
  const uint64_t pods = job.pods;
  tasks_.push_back({.kind = Kind::kJob, .measured = measured, .to = pods, .job = std::move(job)});
}

bool PodTasks::makes_pods_of(uint32_t owner) const {
  return std::ranges::any_of(
      tasks_, [&](const Task& task) { return task.kind == Kind::kReplicas && task.of == owner; });
}

bool PodTasks::run(LoadStep& step) {
  while (!tasks_.empty()) {
    Task& task = tasks_.front();
    if (writer_.size() != 0 && step.measured != task.measured) return false;
    if (task.from < task.to) step.measured = task.measured;
    if (!run(task)) return false;
    tasks_.pop_front();
  }
  return true;
}

// False: the step is full and the task is not finished.
bool PodTasks::run(Task& task) {
  for (; task.from < task.to; ++task.from) {
    if (writer_.full()) return false;
    add_pod(task);
  }
  return true;
}

void PodTasks::add_pod(const Task& task) {
  switch (task.kind) {
    case Kind::kReplicas:
      return owned_.add(static_cast<uint32_t>(task.of));
    case Kind::kDaemonSet:
      return daemon_sets_.add(task.of, task.from);
    case Kind::kDaemonsOfNode:
      return daemon_sets_.add(task.from, task.of);
    case Kind::kJob:
      return jobs_.add(task.job, task.from);
  }
}

}  // namespace berth::loadgen
