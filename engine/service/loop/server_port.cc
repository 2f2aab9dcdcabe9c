#include "engine/service/loop/server_port.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "engine/base/assert.h"
#include "engine/events/pod_events.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::service {
namespace {

// Of the kinds that scheduling writes.
bool is_written(const model::VolumeObject& object) {
  return std::holds_alternative<model::PersistentVolumeClaim>(object) ||
         std::holds_alternative<model::PersistentVolume>(object);
}

std::string key_of(const model::VolumeObject& object) {
  return std::string(model::kind_of(object)) + " " + model::full_name(object);
}

// As the API server names it.
kube::PodName pod_name(const model::Cluster& cluster, const model::PodRecord& pod) {
  return {.namespace_name = std::string(cluster.text(pod.namespace_name)),
          .name = std::string(cluster.text(pod.name)),
          .uid = std::string(cluster.text(pod.uid))};
}

}  // namespace

void ServerPort::attach(runtime::Core& core) {
  BERTH_ASSERT(core_ == nullptr);
  core_ = &core;
  effects_.topology_labels = core.configuration().rules.has(Rule::kTopologyLabels);
}

void ServerPort::correct(model::Operation operation, model::TemplatePod& pod) {
  if (nominations_.empty()) return;
  const auto written = nominations_.find(full_name(pod));
  if (written == nominations_.end()) return;
  Nomination& nomination = written->second;
  const bool waits = operation != model::Operation::kDeleted && pod.node_name.empty();
  if (waits && nomination.uid == pod.uid && pod.nominated_node_name == nomination.before) {
    pod.nominated_node_name = nomination.node;
    return;
  }
  const Nomination ended = std::move(nomination);
  nominations_.erase(written);
  seen(ended, pod);
}

void ServerPort::seen(const Nomination& nomination, const model::TemplatePod& pod) {
  const model::Cluster& cluster = core_->cluster();
  const model::PodId id = cluster.find_pod(pod.namespace_name, pod.name);
  if (!id || cluster.text(cluster.pod(id).uid) != nomination.uid) return;
  model::PodRecord before = cluster.pod(id);
  before.nominated_node = cluster.strings().find(nomination.before);
  core_->door().nomination_ended(before, !pod.node_name.empty());
}

void ServerPort::status_failed(uint64_t number) {
  erase_if(nominations_, [number](const auto& one) {
    return one.second.number == number && !one.second.before.empty();
  });
}

void ServerPort::saw(model::Operation operation, const model::VolumeObject& object,
                     std::string version) {
  if (!is_written(object)) return;
  if (operation == model::Operation::kDeleted)
    versions_.erase(key_of(object));
  else
    versions_[key_of(object)] = std::move(version);
}

// Preemptions that are over are dropped here: few are under way at a time.
void ServerPort::preempts(model::PodId preemptor, model::PodId victim) {
  if (preemptions_.empty() || preemptions_.back().preemptor != preemptor) {
    std::erase_if(preemptions_, [&](const Preemption& one) {
      return one.preemptor == preemptor || !is_under_way(one);
    });
    preemptions_.push_back({preemptor, {}});
  }
  preemptions_.back().victims.push_back(victim);
}

void ServerPort::preemption_failed(model::PodId preemptor) {
  std::erase_if(preemptions_, [&](const Preemption& one) { return one.preemptor == preemptor; });
}

bool ServerPort::is_preempting(model::PodId pod) const {
  const auto found = std::ranges::find(preemptions_, pod, &Preemption::preemptor);
  return found != preemptions_.end() && is_under_way(*found);
}

// A victim that is still being bound leaves its node before its object goes. kube-scheduler v1.36.2
// waits for the last victim as well (executor.go isRunningPreemption). v1.34.1 waits until the
// eviction of the last one is sent: the difference is the time that the server takes.
bool ServerPort::is_under_way(const Preemption& preemption) const {
  const model::Cluster& cluster = core_->cluster();
  return cluster.pods().contains(preemption.preemptor) &&
         std::ranges::any_of(preemption.victims, [&](model::PodId victim) {
           return cluster.pods().contains(victim) && cluster.pod(victim).placed() &&
                  !cluster.pod(victim).terminating;
         });
}

void ServerPort::evict(model::PodId victim) {
  const model::Cluster& cluster = core_->cluster();
  BERTH_ASSERT(!preemptions_.empty());
  const model::PodRecord& pod = cluster.pod(victim);
  const model::PodRecord& preemptor = cluster.pod(preemptions_.back().preemptor);
  out_.evict(
      {.victim = pod_name(cluster, pod), .scheduler = events::scheduler_of(cluster, preemptor)},
      events::preempted(cluster, pod, preemptor));
}

// The watch tells of it. A pod whose binding is at the server has nothing to wait for: a later
// write would name its node for ever.
void ServerPort::announce(model::PodId pod, std::string_view node) {
  const model::PodRecord& now = core_->cluster().pod(pod);
  if (now.state == model::PodState::kBound ||
      core_->scheduler().bindings().under_way().contains(pod))
    return;
  out_.write(0, pod_name(core_->cluster(), now), {std::nullopt, std::string(node)});
}

void ServerPort::patch_status(const runtime::StatusPatch& patch) {
  const model::Cluster& cluster = core_->cluster();
  const model::PodRecord& now = cluster.pod(patch.before.id);
  std::optional<std::string> nominated;
  uint64_t number = 0;
  if (now.nominated_node != patch.before.nominated_node) {
    nominated = std::string(cluster.text(now.nominated_node));
    number = ++nominated_;
    nominations_[full_name(cluster, now)] = {
        .uid = std::string(cluster.text(now.uid)),
        .before = std::string(cluster.text(patch.before.nominated_node)),
        .node = *nominated,
        .number = number};
  }
  std::optional<kube::UnscheduledCondition> condition;
  if (!patch.message.empty())
    condition = {.failed = patch.failed, .message = std::string(patch.message)};
  if (condition || nominated)
    out_.write(number, pod_name(cluster, now), {std::move(condition), std::move(nominated)});
}

// It counts at once, as in kube-scheduler's assume cache. Where the write fails, the network's side
// reads the object and tells it again. The version is that of the decision: whatever comes of an
// object ends what was decided about it (model/volumes).
void ServerPort::put(const model::VolumeObject& object) {
  const auto version = versions_.find(key_of(object));
  BERTH_ASSERT(version != versions_.end());
  out_.put(object, version->second);
  core_->door().put(object);
}

binding::BindAnswer ServerPort::bind(const binding::Binding& binding) {
  if (binding.by_extender) return {};
  out_.bind(binding.number,
            {.namespace_name = std::string(binding.namespace_name),
             .name = std::string(binding.name),
             .uid = std::string(binding.uid)},
            std::string(binding.node));
  return {.kind = binding::BindAnswer::Kind::kUnderWay};
}

}  // namespace berth::service
