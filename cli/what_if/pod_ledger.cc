#include "cli/what_if/pod_ledger.h"

#include <algorithm>

#include "engine/model/cluster/pod_name.h"
#include "engine/runtime/core.h"

namespace berth::cli {
namespace {

std::string zone_at(const model::Cluster& cluster, model::Slot slot) {
  const model::StringId key = cluster.strings().find("topology.kubernetes.io/zone");
  return std::string(cluster.text(model::label_value(cluster.nodes().node(slot).labels, key)));
}

PodState::Kind end_kind_of(const model::PodRecord& pod) {
  if (pod.terminating) return PodState::Kind::kLeaves;
  return pod.placed() ? PodState::Kind::kRuns : PodState::Kind::kPending;
}

}  // namespace

void PodLedger::watch(const runtime::Core& core) { core_ = &core; }

void PodLedger::begin_losses() {
  if (keeps_losses_) return;
  keeps_losses_ = true;
  core_->cluster().pods().for_each([&](const model::PodRecord& pod) {
    if (pod.placed() && !pod.terminating) placed_[pod.id.handle()] = pod.slot;
  });
}

std::string PodLedger::owner_of(const model::PodRecord& pod) const {
  if (pod.controller == 0) return {};
  const model::Cluster& cluster = core_->cluster();
  const model::Controller& owner = cluster.templates().controller(pod.controller);
  return owner.kind + " " + std::string(cluster.text(pod.namespace_name)) + "/" + owner.name;
}

std::string PodLedger::node_of(model::Slot slot) const {
  return std::string(core_->cluster().nodes().name(slot));
}

// The first reason counts: a pod that terminates may be evicted once more.
void PodLedger::lose(model::PodId id, std::string_view reason, std::string because) {
  const auto at = placed_.find(id.handle());
  if (!keeps_losses_ || at == placed_.end() || lost_.contains(id.handle())) return;
  const model::PodRecord& pod = core_->cluster().pod(id);
  lost_[id.handle()] = losses_.size();
  losses_.push_back({.name = full_name(core_->cluster(), pod),
                     .owner = owner_of(pod),
                     .node = node_of(at->second),
                     .reason = std::string(reason),
                     .because = std::move(because),
                     .at = core_->now()});
}

void PodLedger::left(model::PodId pod) {
  lose(pod, "deleted", {});
  placed_.erase(pod.handle());
  bound_.erase(pod.handle());
  refused_.erase(pod.handle());
}

void PodLedger::refuse(model::PodId pod, std::string_view message) {
  const auto at = text_numbers_.find(message);
  const auto number = at == text_numbers_.end() ? static_cast<uint32_t>(texts_.size()) : at->second;
  if (at == text_numbers_.end()) {
    text_numbers_.emplace(message, number);
    texts_.emplace_back(message);
  }
  refused_[pod.handle()] = number;
}

void PodLedger::take(const runtime::Report& report) {
  using namespace runtime;
  const model::Cluster& cluster = core_->cluster();
  std::visit(Match{[&](const Bound& to) {
                     bound_[to.pod.handle()] = core_->now();
                     refused_.erase(to.pod.handle());
                     if (keeps_losses_) placed_[to.pod.handle()] = cluster.pod(to.pod).slot;
                   },
                   [&](const Refused& by) { refuse(by.pod, by.decision->event()); },
                   [&](const Failed& by) { refuse(by.pod, by.decision->message); },
                   [&](const Gated& by) { refuse(by.pod, by.message); },
                   [&](const Ignored& by) { refuse(by.pod, by.message); },
                   [&](const BindingFailed& by) { refuse(by.pod, by.message); },
                   [&](const Evicted& from) {
                     lose(from.pod, "Preempted", "for " + full_name(cluster, from.preemptor));
                   },
                   [&](const Disrupted& by) {
                     lose(by.pod, by.reason, std::string(by.cause.empty() ? by.message : by.cause));
                   },
                   [&](const Finished& with) {
                     finished_.push_back(full_name(cluster, with.pod));
                     placed_.erase(with.pod.handle());
                   },
                   [&](const Deleted& one) { left(one.pod); }, [](const auto&) {}},
             report);
}

std::vector<PodState> PodLedger::pods() const {
  const model::Cluster& cluster = core_->cluster();
  std::vector<PodState> all;
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    if (!pod.placed() && !pod.requested) return;
    PodState& state = all.emplace_back();
    state.name = full_name(cluster, pod);
    state.owner = owner_of(pod);
    state.kind = end_kind_of(pod);
    if (pod.placed()) {
      state.node = node_of(pod.slot);
      state.zone = zone_at(cluster, pod.slot);
    }
    if (const auto at = refused_.find(pod.id.handle()); at != refused_.end() && !pod.placed())
      state.message = texts_[at->second];
    if (const auto at = bound_.find(pod.id.handle()); at != bound_.end()) state.bound = at->second;
  });
  std::ranges::sort(all, {}, &PodState::name);
  return all;
}

}  // namespace berth::cli
