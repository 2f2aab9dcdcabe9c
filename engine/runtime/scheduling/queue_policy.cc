#include "engine/runtime/scheduling/queue_policy.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/framework/decision/extenders.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/model/objects/names.h"

namespace berth::runtime {
namespace {

using model::PodState;

constexpr std::string_view kPreempts = "waiting for the preemption for this pod to be finished";

std::string pod_text(const model::Cluster& cluster, const model::PodRecord& pod) {
  return "pod \"" + model::full_name(cluster, pod) + '"';
}

}  // namespace

QueuePolicy::QueuePolicy(model::Cluster& cluster,
                         std::vector<std::unique_ptr<framework::Profile>>& profiles,
                         host::CallContext& calls, const Server* server)
    : cluster_(cluster),
      profiles_(profiles),
      calls_(calls),
      server_(server),
      hints_(profiles, cluster, calls),
      refusers_(profiles.size()) {
  for (const auto& plugin : hints_.plugins())
    add_refuser(static_cast<queue::ProfileId>(plugin.profile), plugin.name);
  for (queue::ProfileId id = 0; id < profiles_.size(); ++id) {
    const std::string& scheduler = profiles_[id]->scheduler_name();
    const model::StringId name = cluster_.strings().intern(scheduler);
    if (name >= profile_by_name_.size()) profile_by_name_.resize(name + size_t{1});
    profile_by_name_[name] = id;
    if (scheduler == model::kDefaultSchedulerName) default_profile_ = id;
  }
}

// The profiles have one plugin with the same arguments, but it may make tables as it likes.
size_t QueuePolicy::key_bytes() const {
  const auto of = [](const framework::Profile& profile) {
    return profile.queue_sort.empty() ? sizeof(queue::SortKey)
                                      : profile.queue_sort.front().point->key_bytes();
  };
  for (const auto& profile : profiles_) {
    if (of(*profile) == of(*profiles_.front())) continue;
    throw Error("QueueSort has keys of " + std::to_string(of(*profiles_.front())) +
                " bytes in the profile \"" + profiles_.front()->scheduler_name() + "\" and of " +
                std::to_string(of(*profile)) + " in the profile \"" + profile->scheduler_name() +
                "\"; all profiles need keys of one size");
  }
  return profiles_.empty() ? sizeof(queue::SortKey) : of(*profiles_.front());
}

void QueuePolicy::register_interests(queue::SchedulingQueue& queue, bool extenders) {
  for (queue::RefuserId id = 0; id < hints_.plugins().size(); ++id)
    for (const auto& interest : hints_.plugins()[id].interests)
      queue.set_interest({.profile = names_[id].first,
                          .refuser = id,
                          .kinds = interest.kind,
                          .actions = interest.actions,
                          .has_hint = interest.asks});
  if (server_ != nullptr)
    for (queue::ProfileId profile = 0; profile < profiles_.size(); ++profile)
      if (const std::string* plugin = preempting_plugin(profile))
        queue.set_interest({.profile = profile,
                            .refuser = refuser(profile, *plugin),
                            .kinds = BERTH_ON_POD_ASSIGNED,
                            .actions = BERTH_DID_DELETE,
                            .has_hint = true});
  if (!extenders) return;
  for (queue::ProfileId profile = 0; profile < profiles_.size(); ++profile)
    for (const uint32_t kind : host::Hints::kKinds)
      queue.set_interest({.profile = profile,
                          .refuser = refuser(profile, std::string(framework::kExtenderPlugin)),
                          .kinds = kind,
                          .actions = host::Hints::kEveryAction,
                          .has_hint = false});
}

std::optional<queue::ProfileId> QueuePolicy::profile_of(const model::PodRecord& pod) const {
  const model::PodTemplate& t = cluster_.templates()[pod.pod_template];
  if (t.spec.scheduler_name.empty()) return default_profile_;
  return t.scheduler_name < profile_by_name_.size() ? profile_by_name_[t.scheduler_name]
                                                    : std::nullopt;
}

queue::RefuserId QueuePolicy::refuser(queue::ProfileId profile, const std::string& name) {
  const auto& known = refusers_[profile];
  if (const auto at = known.find(name); at != known.end()) return at->second;
  add_refuser(profile, name);
  return static_cast<queue::RefuserId>(names_.size() - 1);
}

std::optional<queue::RefuserId> QueuePolicy::refuser(std::string_view scheduler,
                                                     const std::string& plugin) {
  for (queue::ProfileId id = 0; id < profiles_.size(); ++id)
    if (profiles_[id]->scheduler_name() == scheduler) return refuser(id, plugin);
  return std::nullopt;
}

void QueuePolicy::add_refuser(queue::ProfileId profile, const std::string& name) {
  const auto id = static_cast<queue::RefuserId>(names_.size());
  BERTH_ASSERT(id != queue::kNobody);
  refusers_[profile].emplace(name, id);
  names_.emplace_back(profile, name);
}

queue::Refusers QueuePolicy::refusers(queue::ProfileId profile, const framework::Refusers& by) {
  queue::Refusers numbers;
  for (const std::string& plugin : by.plugins) numbers.add(refuser(profile, plugin));
  for (const std::string& plugin : by.pending) numbers.add(refuser(profile, plugin), true);
  return numbers;
}

std::span<const model::PodRecord* const> QueuePolicy::records(std::span<const model::PodId> pods) {
  records_.clear();
  for (const model::PodId pod : pods) records_.push_back(&cluster_.pod(pod));
  return records_;
}

void QueuePolicy::queued(model::PodId pod, Time, uint64_t moment) {
  const model::PodRecord& record = cluster_.pod(pod);
  const bool first = record.queue_time == 0;
  cluster_.set_queue_time(pod, moment, first ? arrivals_++ : record.arrival);
}

void QueuePolicy::gate(queue::ProfileId profile, std::span<const model::PodId> pods,
                       std::span<queue::RefuserId> by) {
  if (profiles_[profile]->pre_enqueue.empty() && server_ == nullptr) {
    std::fill(by.begin(), by.end(), queue::kNobody);
    return;
  }
  const Time begun = points_ == nullptr ? Time{} : points_->now();
  ask_gates(profile, pods, by);
  if (points_ != nullptr) {
    const Time took = points_->now() - begun;
    for (size_t i = 0; i < pods.size(); ++i)
      points_->asked(framework::TimedPoint::kPreEnqueue, *profiles_[profile],
                     by[i] == queue::kNobody ? uint8_t{BERTH_SUCCESS} : said_[i], took);
  }
  hold_preempting(profile, pods, by);
  for (size_t i = 0; i < pods.size(); ++i)
    cluster_.set_state(pods[i], by[i] == queue::kNobody ? PodState::kWaiting : PodState::kGated);
}

// The plugin that gates a pod so far is asked before the others.
void QueuePolicy::ask_gates(queue::ProfileId profile, std::span<const model::PodId> pods,
                            std::span<queue::RefuserId> by) {
  auto& hooks = profiles_[profile]->pre_enqueue;
  said_.resize(pods.size());
  const std::span<uint8_t> said(said_);
  for (size_t i = 0; i < pods.size(); ++i) {
    if (by[i] == queue::kNobody) continue;
    const std::string& plugin = names_[by[i]].second;
    by[i] = queue::kNobody;
    for (PreEnqueue& hook : hooks)
      if (hook.point->plugin() == plugin)
        ask_gate(profile, hook, pods.subspan(i, 1), by.subspan(i, 1), said.subspan(i, 1));
  }
  for (PreEnqueue& hook : hooks) ask_gate(profile, hook, pods, by, said);
}

void QueuePolicy::hold_preempting(queue::ProfileId profile, std::span<const model::PodId> pods,
                                  std::span<queue::RefuserId> by) {
  if (server_ == nullptr) return;
  for (size_t i = 0; i < pods.size(); ++i)
    if (by[i] == queue::kNobody && server_->is_preempting(pods[i]))
      by[i] = refuser(profile, *preempting_plugin(profile));
}

// The last one of PostFilter: those before it free what costs less.
const std::string* QueuePolicy::preempting_plugin(queue::ProfileId profile) const {
  const auto& hooks = profiles_[profile]->post_filter;
  return hooks.empty() ? nullptr : &hooks.back().point->plugin();
}

void QueuePolicy::ask_gate(queue::ProfileId profile, PreEnqueue& hook,
                           std::span<const model::PodId> pods, std::span<queue::RefuserId> by,
                           std::span<uint8_t> said) {
  hook.bound.gather_pods(nullptr, records(pods), {}, columns_);
  berth_call call = framework::BoundHook::call(columns_, pods.size(), nullptr, 0);
  codes_.assign(pods.size(), BERTH_SUCCESS);
  reasons_.resize(pods.size());
  const bool failed = static_cast<bool>(hook.point->call(calls_, call, codes_, reasons_));
  for (size_t i = 0; i < pods.size(); ++i) {
    if (by[i] != queue::kNobody || (!failed && codes_[i] == BERTH_SUCCESS)) continue;
    by[i] = refuser(profile, hook.point->plugin());
    said[i] = failed ? uint8_t{BERTH_ERROR} : codes_[i];
  }
}

QueuePolicy::Gate QueuePolicy::gate_of(const model::PodRecord& pod, queue::RefuserId by) {
  const auto& [profile, plugin] = names_[by];
  for (PreEnqueue& hook : profiles_[profile]->pre_enqueue) {
    if (hook.point->plugin() != plugin) continue;
    const model::PodRecord* record = &pod;
    hook.bound.gather_pods(nullptr, {&record, 1}, {}, columns_);
    berth_call call = framework::BoundHook::call(columns_, 1, nullptr, 0);
    uint8_t code = BERTH_SUCCESS;
    uint32_t reason = 0;
    if (host::CallError error = hook.point->call(calls_, call, {&code, 1}, {&reason, 1}))
      return {error.text_about([&](size_t) { return pod_text(cluster_, pod); }), true};
    std::vector<std::string> texts;
    if (host::CallError error = hook.point->describe(calls_, call, reason, texts))
      return {error.text(), true};
    std::string message;
    for (const std::string& text : texts) message += (message.empty() ? "" : ", ") + text;
    return {std::move(message), code == BERTH_ERROR};
  }
  if (server_ != nullptr && server_->is_preempting(pod.id)) return {std::string(kPreempts)};
  return {};
}

void QueuePolicy::sort_keys(queue::ProfileId profile, std::span<const model::PodId> pods,
                            std::span<uint8_t> keys) {
  BERTH_ASSERT(profiles_[profile]->queue_sort.size() == 1);
  auto& hook = profiles_[profile]->queue_sort.front();
  hook.bound.gather_pods(nullptr, records(pods), {}, columns_);
  berth_call call = framework::BoundHook::call(columns_, pods.size(), nullptr, 0);
  host::CallError error = hook.point->call(calls_, call, keys);
  // Nothing can be scheduled without keys, so a process that ended is started again at once.
  if (error && hook.point->is_apart() && hook.point->living_process() == 0)
    error = hook.point->call(calls_, call, keys);
  if (error)
    throw Error("plugin \"" + hook.point->plugin() +
                "\" cannot sort the queue, and nothing can be scheduled without: " +
                error.text_about([&](size_t position) {
                  return pod_text(cluster_, cluster_.pod(pods[position]));
                }));
}

uint32_t QueuePolicy::group(model::PodId pod) {
  return hints_.follow_shapes() ? cluster_.pod(pod).shape : pod.index;
}

// Only plugins that register events with hints are asked about. No event helps against the
// preemption: the plugins that refused the pod know whether a victim's end does.
void QueuePolicy::hint(const queue::QueueEvent& event, queue::RefuserId refuser,
                       std::span<const model::PodId> pods, std::span<uint8_t> queue) {
  if (refuser >= hints_.plugins().size()) return;
  hints_.hint(*static_cast<const framework::HintEvent*>(event.detail), refuser, pods, queue);
}

}  // namespace berth::runtime
