#include "engine/played/api_server.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/base/assert.h"
#include "engine/ingest/workloads/ephemeral_claims.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/played/controllers/disruption/drains.h"

namespace berth::played {
namespace {

// A pod that somebody creates on a node, and that no kubelet has looked at: one with a UID comes
// from an API server, whose kubelets do that.
template <typename Pod>
bool waits_for_kubelet(const Pod& pod) {
  return pod.uid.empty() && !pod.terminating &&
         (pod.phase == model::PodPhase::kUnknown || pod.phase == model::PodPhase::kPending);
}

}  // namespace

void ApiServer::attach(runtime::Core& core) {
  BERTH_ASSERT(core_ == nullptr);
  core_ = &core;
  const Rules& rules = core.configuration().rules;
  effects_ = {.topology_labels = options_.admission && rules.has(Rule::kTopologyLabels),
              .ends_nomination = rules.has(Rule::kBindingEndsNomination)};
  if (options_.volumes) {
    volumes_.emplace(core.cluster(), *options_.volumes);
    protection_.emplace(core.cluster());
  }
  core.join(*this);
  core.wake(*this);
  if (options_.controllers != ControllerList::none())
    controllers_.emplace(core, static_cast<Evictor&>(*this), options_.controllers,
                         options_.on_drain);
}

void ApiServer::apply(const model::Change& change, const runtime::Origin& from, size_t index) {
  const auto* eviction = std::get_if<model::EvictionRequest>(&change.object);
  if (eviction != nullptr && controllers_) return evict(*eviction);
  const auto* object = std::get_if<model::VolumeObject>(&change.object);
  if (protection_ && object != nullptr && change.operation == model::Operation::kDeleted)
    if (const auto stays = protection_->stays(*object))
      return core_->door().apply(model::modified(*stays), from, index);
  const auto* pod = std::get_if<model::TemplatePod>(&change.object);
  const bool starts = controllers_ && pod != nullptr && !pod->node_name.empty() &&
                      change.operation == model::Operation::kAdded && waits_for_kubelet(*pod) &&
                      !cluster().find_pod(pod->namespace_name, pod->name);
  const auto* node = std::get_if<model::Node>(&change.object);
  const bool drained = node != nullptr && controllers_ && controllers_->drains().begins(*node) &&
                       change.operation != model::Operation::kDeleted;
  // What waits for its binding is bound first, as kubectl would find it.
  if (drained) core_->settle();
  core_->door().apply(change, from, index);
  if (starts) start(pod->namespace_name, pod->name);
  if (drained) controllers_->drains().begin_due();
}

// Pods of a dump run where they are.
void ApiServer::apply_work(std::span<const runtime::WorkFile> files) {
  core_->door().apply_work(files);
  if (!controllers_) return;
  for (const runtime::WorkFile& file : files)
    for (const model::Pod& pod : file.objects.pods)
      if (!file.dump && pod.bound() && waits_for_kubelet(pod)) start(pod.namespace_name, pod.name);
}

void ApiServer::start(const std::string& namespace_name, const std::string& name) {
  if (const model::PodId pod = cluster().find_pod(namespace_name, name))
    controllers_->pod_starts(pod);
}

bool ApiServer::takes(const model::EvictionRequest& request) {
  if (!controllers_) return false;
  requests_.push_back(request);
  return true;
}

void ApiServer::delete_pod(model::PodId pod, std::optional<Time> leaves) {
  if (leaves && *leaves <= core_->now()) return core_->door().remove(pod);
  const bool counts =
      !leaves || (!held_.contains(pod) && deletions_.add(pod, full_name(cluster(), pod), *leaves));
  model::PodRecord after = core_->door().latest(pod);
  if (after.terminating && !counts) return;
  after.terminating = true;
  core_->door().update(pod, after);
}

const std::list<controllers::Drain>& ApiServer::drains() const {
  static const std::list<controllers::Drain> kNone;
  return controllers_ ? controllers_->drains().all() : kNone;
}

ingest::Remarks::Named ApiServer::measured_without_pod() const {
  ingest::Remarks::Named found;
  if (controllers_)
    for (std::string& pod : controllers_->measured_without_pod()) found.add(std::move(pod));
  return found;
}

// The condition that tells why the pod is deleted, and the deletion, are two writes.
void ApiServer::evict(model::PodId victim) {
  model::PodRecord after = core_->door().latest(victim);
  after.preempted = true;
  core_->door().update(victim, after);
  // An API server knows of no node of a pod that waits in Permit or PreBind: it deletes the pod at
  // once.
  const runtime::BindingCycles& cycles = core_->scheduler().bindings();
  if (cycles.permits().contains(victim) || cycles.pre_bind_waits().contains(victim))
    return core_->door().remove(victim);
  delete_pod(victim, core_->now() + grace_of(cluster().templates()[after.pod_template].spec));
}

// What waits for its binding is bound first, as the API server has it then.
void ApiServer::evict(const model::EvictionRequest& request) {
  core_->settle();
  const EvictionAnswer answer{.namespace_name = request.namespace_name,
                              .name = request.name,
                              .at = core_->now(),
                              .dry_run = request.dry_run,
                              .status = controllers_->answer(request, "Eviction")};
  if (options_.on_eviction) options_.on_eviction(answer);
}

void ApiServer::delete_within(model::PodId pod, std::optional<int64_t> grace_seconds,
                              const EvictionCause& cause) {
  const model::PodRecord& known = core_->door().latest(pod);
  if (known.terminating && !grace_seconds) return;
  const Time own = grace_of(cluster().templates()[known.pod_template].spec);
  if (!cause.reason.empty())
    core_->door().tell_evicted({pod, cause.reason, cause.message, cause.cause});
  delete_pod(pod, core_->now() + (grace_seconds ? std::chrono::seconds(*grace_seconds) : own));
}

void ApiServer::announce(model::PodId pod, std::string_view node) {
  const bool bound = cluster().pod(pod).state == model::PodState::kBound;
  if (bound && core_->configuration().rules.has(Rule::kBindingEndsNomination)) return;
  core_->door().nominated(pod, node);
}

void ApiServer::patch_status(const runtime::StatusPatch& patch) {
  core_->door().status_known(patch.before);
}

std::optional<Time> ApiServer::next() const {
  if (!requests_.empty()) return core_->now();
  const std::optional<Time> leaves = deletions_.next();
  const std::optional<Time> writes = volumes_ ? volumes_->next() : std::nullopt;
  if (!leaves || !writes) return leaves ? leaves : writes;
  return std::min(*leaves, *writes);
}

void ApiServer::run_due() {
  for (const model::EvictionRequest& request : std::exchange(requests_, {})) evict(request);
  while (const auto pod = deletions_.take(core_->now())) end(*pod);
  if (!volumes_) return;
  volumes_->run_due(
      core_->now(), [this](const model::VolumeObject& object) { core_->door().put(object); },
      [this](const model::VolumeObject& object) { core_->door().remove(object); });
}

// Its grace period is over. Only a kubelet tells that the containers have stopped.
void ApiServer::end(model::PodId pod) {
  const model::PodRecord& known = cluster().pod(pod);
  if (controllers_ && known.state == model::PodState::kBound) {
    const std::string node(cluster().nodes().name(known.slot));
    if (controllers_->is_silent(node)) return held_.add(pod, full_name(cluster(), pod), node);
  }
  core_->door().remove(pod);
}

void ApiServer::catch_up() {
  if (!protection_) return;
  while (const auto object = protection_->next_to_remove()) core_->door().remove(*object);
}

void ApiServer::pod_ends(model::PodId pod) {
  deletions_.forget(pod);
  held_.forget(pod);
  remove_ephemeral_claims(cluster().pod(pod));
}

// Those that were made for the pod here: nobody else tells that they go with it.
void ApiServer::remove_ephemeral_claims(const model::PodRecord& pod) {
  const model::PodTemplate& made_of = cluster().templates()[pod.pod_template];
  std::vector<model::PersistentVolumeClaim> gone;
  for (size_t i = 0; i < made_of.claims.size(); ++i) {
    if (made_of.claim_owners[i] == 0 || made_of.claim_owners[i] != pod.uid) continue;
    const auto claim = cluster().volumes().claim_object(
        model::namespace_of_claim(made_of.claims[i]), model::name_of_claim(made_of.claims[i]));
    if (claim && claim->owner_uid == cluster().text(pod.uid) && ingest::is_ephemeral_claim(*claim))
      gone.push_back(*claim);
  }
  for (const model::PersistentVolumeClaim& claim : gone) {
    const auto stays = protection_ ? protection_->stays_without_owner(claim) : std::nullopt;
    if (stays)
      core_->door().put(*stays);
    else
      core_->door().remove(claim);
  }
}

void ApiServer::storage_changed(const model::VolumeChange& change) {
  if (volumes_) volumes_->changed(change, core_->now());
  if (protection_) protection_->changed(change);
}

void ApiServer::claim_unused(uint64_t claim) {
  if (protection_) protection_->unused(claim);
}

}  // namespace berth::played
