#include "engine/conformance/history_record.h"

#include <algorithm>

namespace berth::conformance {
namespace {

using queue::Place;

std::string full_name(const model::Cluster& cluster, model::PodId id) {
  const model::PodRecord& pod = cluster.pod(id);
  return std::string(cluster.text(pod.namespace_name)) + "/" + std::string(cluster.text(pod.name));
}

// As an event of the API keeps it.
std::string cut(std::string text) {
  constexpr size_t kMost = 1024;
  constexpr std::string_view kEnd = " ...";
  if (text.size() > kMost) text = text.substr(0, kMost - kEnd.size()) + std::string(kEnd);
  return text;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

class Recorder {
 public:
  Recorder(const model::Cluster& cluster, Attempt& attempt) : cluster_(cluster), to_(attempt) {}

  void operator()(const runtime::Report& report) {
    std::visit([&](const auto& one) { on(one); }, report);
  }

 private:
  template <typename Other>
  void on(const Other&) {}  // nothing of it is recorded

  void on(const runtime::Scheduled& report) {
    to_.result = "scheduled";
    to_.node = report.node;
    decided(*report.decision);
  }
  void on(const runtime::Refused& report) {
    to_.result = "unschedulable";
    to_.plugins = report.decision->refused_by.plugins;
    for (const std::string& plugin : report.decision->refused_by.pending)
      to_.plugins.push_back(plugin);
    failed(*report.decision);
  }
  void on(const runtime::Failed& report) {
    to_.result = "error";
    failed(*report.decision);
  }
  void on(const runtime::Skipped&) {
    to_.result = "skipped";
    to_.message = "skip schedule deleting pod: " + to_.pod;
  }
  void on(const runtime::BindingFailed& report) {
    to_.result = report.refused ? "unschedulable" : "error";
    to_.plugins = report.refused_by;
    to_.message = cut(std::string(report.message));
  }
  void on(const runtime::Nominated& report) {
    if (report.pod == to_.id) {
      to_.nominated = std::string(report.node);
    } else {
      to_.cleared.push_back(full_name(cluster_, report.pod));
    }
  }
  void on(const runtime::Evicted& report) {
    to_.victims.push_back(full_name(cluster_, report.pod));
  }

  void failed(const framework::Decision& decision) {
    to_.message = cut(decision.event());
    decided(decision);
  }

  void decided(const framework::Decision& decision) {
    to_.searched = true;
    to_.evaluated = decision.evaluated;
    to_.feasible = decision.feasible;
    to_.next = decision.next_start;
  }

  const model::Cluster& cluster_;
  Attempt& to_;
};

std::vector<std::string> names(const runtime::Core& core, Place place) {
  std::vector<std::string> list;
  for (const model::PodId pod : core.scheduler().queue().list(place))
    list.push_back(full_name(core.cluster(), pod));
  return list;
}

void add_waiting(runtime::Core& core, Place place, std::vector<WaitingPod>& to) {
  const runtime::Scheduler& scheduler = core.scheduler();
  for (const model::PodId pod : scheduler.queue().list(place)) {
    WaitingPod waiting{full_name(core.cluster(), pod), {}, place == Place::kGated};
    for (const queue::RefuserId refuser : scheduler.queue().refusers(pod).all())
      waiting.plugins.push_back(core.scheduler().policy().name(refuser));
    waiting.plugins = sorted(std::move(waiting.plugins));
    to.push_back(std::move(waiting));
  }
}

}  // namespace

Attempt make_attempt(runtime::Core& core, model::PodId pod) {
  Attempt attempt;
  attempt.at = core.now();
  attempt.id = pod;
  attempt.pod = full_name(core.cluster(), pod);
  attempt.attempts = core.scheduler().queue().attempts(pod);
  core.report_to(Recorder(core.cluster(), attempt));
  core.attempt(pod);
  core.settle();
  core.report_to([](const runtime::Report&) {});
  for (auto* list : {&attempt.plugins, &attempt.victims, &attempt.cleared})
    std::sort(list->begin(), list->end());
  return attempt;
}

SchedulerState state_of(runtime::Core& core) {
  SchedulerState state;
  state.active = names(core, Place::kActive);
  state.backoff = names(core, Place::kBackoff);
  state.error_backoff = sorted(names(core, Place::kErrorBackoff));
  add_waiting(core, Place::kUnschedulable, state.unschedulable);
  add_waiting(core, Place::kGated, state.unschedulable);
  std::sort(state.unschedulable.begin(), state.unschedulable.end(),
            [](const WaitingPod& a, const WaitingPod& b) { return a.pod < b.pod; });
  const model::Cluster& cluster = core.cluster();
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    const std::string name = full_name(cluster, pod.id);
    if (pod.nominated) state.nominations[name] = cluster.text(pod.nominated_node);
    if (pod.placed()) ++state.pods[std::string(cluster.text(cluster.nodes().node(pod.slot).name))];
    if (pod.terminating) state.terminating.push_back(name);
  });
  state.terminating = sorted(std::move(state.terminating));
  return state;
}

}  // namespace berth::conformance
