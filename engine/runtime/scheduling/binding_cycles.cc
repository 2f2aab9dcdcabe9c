#include "engine/runtime/scheduling/binding_cycles.h"

#include <optional>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::runtime {

using model::PodState;

BindingCycles::BindingCycles(const Means& means, const SchedulerOptions& options)
    : cluster_(means.cluster),
      binder_(means.binder),
      calls_(means.calls),
      clock_(means.clock),
      policy_(means.policy),
      queue_(means.queue),
      events_(means.events),
      bound_pods_(means.bound_pods),
      updates_(means.updates),
      writes_(means.writes),
      report_(means.report),
      bind_batch_(options.bind_batch),
      objects_(cluster_, means.server),
      rules_(options.rules),
      reservation_(cluster_, calls_, options.observer),
      permits_(cluster_, queue_, options.waiting) {
  bound_pods_.await(under_way_);
  const bool announces = rules_.has(Rule::kAnnouncedNodes);
  // Without announcements kube-scheduler does not ask who may work at the same time.
  binder_.set_rules(
      {.announces = announces, .overlaps = announces && rules_.has(Rule::kParallelPreBind)});
}

void BindingCycles::keep_time(Timekeeper* keeper) {
  keeper_ = keeper;
  reservation_.time_points(keeper);
  binder_.time_points(keeper);
}

void BindingCycles::take_from_node(framework::Profile& profile, model::PodId pod) {
  reservation_.unreserve(profile, pod);
  cluster_.unplace(pod);
  cluster_.set_state(pod, PodState::kWaiting);
  updates_.count(pod);
}

void BindingCycles::hold(framework::Profile& profile, model::PodId pod,
                         std::vector<binding::Hold> holds) {
  cluster_.set_state(pod, PodState::kPermitWaiting);
  permits_.pods().hold(pod, profile, std::move(holds), clock_.now());
  if (rules_.has(Rule::kAnnouncedNodes)) writes_.announce(pod);
}

void BindingCycles::begin(framework::Profile& profile, model::PodId pod, uint64_t skips,
                          bool announced, Leaving leaving) {
  queue_.refusal_over(pod);
  cluster_.set_state(pod, PodState::kBinding);
  binder_.add(profile, pod, calls_, nullptr, skips, announced);
  if (binder_.size() >= bind_batch_) bind(leaving);
}

void BindingCycles::release(model::PodId pod, const model::PodRecord* placed) {
  const Leaving leaving{pod, placed};
  if (is_in_a_batch(pod)) bind(leaving);
  if (permits_.pods().contains(pod)) {
    permits_.pods().reject(pod, {}, "removed");
    model::PodRecord object = cluster_.pod(pod);
    // If another scheduler bound it, kube-scheduler tells of a deleted pod with the object that was
    // pending, which has no node (eventhandlers.go deletePodFromSchedulingQueue).
    if (placed != nullptr) {
      object = updates_.latest(pod);
      object.slot = model::kNoSlot;
    }
    if (placed == nullptr || !events_.binding_is_quiet()) events_.assigned_left(object);
    continue_released(leaving);
  }
  if (const auto waiting = pre_binds_.take(pod))
    placed == nullptr
        ? end_pre_bind(*waiting, "the pod was removed", After::kRemoved)
        : end_pre_bind(*waiting, "another scheduler bound the pod", After::kBoundByAnother);
  if (under_way_.contains(pod)) end_under_way(leaving);
}

void BindingCycles::release_node(model::Slot slot) {
  bind();
  for (const model::PodId pod : pre_binds_.pods())
    if (cluster_.pod(pod).slot == slot)
      end_pre_bind(*pre_binds_.take(pod), "the node was removed", After::kTriedAgain);
}

bool BindingCycles::preempt(model::PodId victim, const std::string& plugin) {
  if (is_in_a_batch(victim)) bind();
  binding::WaitingPods& waiting = permits_.pods();
  if (!rules_.has(Rule::kPreemptedWaitingErrs))
    return waiting.reject(victim, plugin, "preempted") || waiting.contains(victim);
  if (waiting.contains(victim)) return waiting.preempt(victim, plugin, "preempted");
  if (!pre_binds_.contains(victim)) return false;
  preempted_.push_back({victim, plugin});
  return true;
}

// A pod of the batch is bound as if the deletion came later. One whose binding is at the server
// counts on its node until the server answers.
void BindingCycles::terminates(model::PodId pod) {
  if (!rules_.has(Rule::kAssumedPodLeaves)) return;
  if (is_in_a_batch(pod)) bind();
  if (permits_.pods().contains(pod)) {
    permits_.pods().reject(pod, {}, "removed");
    events_.assigned_left(cluster_.pod(pod));
    return continue_released();
  }
  if (const auto waiting = pre_binds_.take(pod))
    end_pre_bind(*waiting, "the pod is being deleted", After::kTriedAgain);
}

void BindingCycles::bind(Leaving leaving) {
  const size_t count = binder_.size();
  if (count == 0) return;
  report_(BindingBegins{count});
  const std::span<binding::Completion> completions = binder_.flush(calls_);
  while (const auto object = cluster_.volumes().next_write()) writes_.put(*object);
  for (binding::Completion& completion : completions) {
    if (completion.announced) writes_.announce(completion.pod);
    take_completion(completion, leaving);
    if (!writes_.empty()) finish_writes(leaving);
  }
  report_(BindingEnds{count});
}

void BindingCycles::finish_writes(Leaving leaving) {
  writes_.finish([&](const model::PodRecord& before) { bound_after_all(before, leaving); });
}

void BindingCycles::take_completion(binding::Completion& completion, Leaving leaving) {
  using Outcome = binding::Completion::Outcome;
  switch (completion.outcome) {
    case Outcome::kBound:
      return bound(completion.pod, cluster_.pod(completion.pod), leaving, completion.extender);
    case Outcome::kWaits:
      return binding_waits(completion);
    case Outcome::kUnderWay:
      return under_way_.add(completion.number, {.pod = completion.pod,
                                                .profile = completion.profile,
                                                .bound_by = completion.bound_by,
                                                .begun = completion.bind_begins});
    case Outcome::kTold:
      return;
    case Outcome::kFailed:
    case Outcome::kConflict:
    case Outcome::kRefused:
    case Outcome::kLost:
    case Outcome::kLostSeen:
      return binding_failed(completion, leaving);
  }
}

size_t BindingCycles::answer(std::span<const BindingAnswer> answers) {
  size_t unknown = 0;
  for (const BindingAnswer& one : answers) {
    // The server may be faster than the owner, who has not looked at the batch.
    if (!under_way_.contains(one.number) && binder_.size() != 0) bind();
    unknown += !answer(one);
    if (!writes_.empty()) finish_writes();
  }
  continue_released();
  return unknown;
}

// A pod whose update came is bound, whatever the answer says.
bool BindingCycles::answer(const BindingAnswer& answer) {
  auto one = under_way_.take(answer.number);
  if (!one) return false;
  const model::PodId pod = one->pod;
  const bool is_bound = answer.answer.kind == binding::BindAnswer::Kind::kBound;
  if (keeper_ != nullptr)
    keeper_->asked(framework::TimedPoint::kBind, *one->profile,
                   is_bound ? BERTH_SUCCESS : BERTH_ERROR, keeper_->now() - one->begun);
  if (is_bound) {
    one->seen ? bound_pods_.bound(pod) : bound(pod, cluster_.pod(pod), {});
    post_bind(*one->profile, pod);
    return true;
  }
  binding::Completion completion;
  completion.pod = pod;
  completion.profile = one->profile;
  end_with_error(completion, one->bound_by, answer.answer);
  if (!one->seen) {
    binding_failed(completion, {});
    return true;
  }
  report_(BindingFailed{pod, completion.message, false, {}});
  reservation_.unreserve(*one->profile, pod);
  bound_pods_.bound(pod);
  return true;
}

void BindingCycles::settle() {
  do {
    bind();
    continue_released();
  } while (binder_.size() != 0);
  binder_.show();
}

void BindingCycles::publish() {
  binder_.run(calls_);
  binder_.show();
}

// The binding is known to all. The server may still answer that it failed, if the pod's update came
// first; plugins hear of the pod once that is settled.
void BindingCycles::bound(model::PodId pod, const model::PodRecord& before, Leaving leaving,
                          std::string_view extender) {
  const std::optional<model::PodRecord> replaced = count_bound(pod, leaving, extender);
  if (is_told(pod)) bound_pods_.bound(pod);
  tell_events_of_bound(pod, replaced ? *replaced : before);
}

void BindingCycles::tell_events_of_bound(model::PodId pod, const model::PodRecord& before) {
  events_.assigned_added(pod);
  events_.nomination_ends_by_binding(before);
}

std::optional<model::PodRecord> BindingCycles::count_bound(model::PodId pod, Leaving leaving,
                                                           std::string_view extender) {
  const bool known = queue_.place(pod) != queue::Place::kNone;
  const std::optional<Time> queued_at = known ? queue_.first_active_at(pod) : std::nullopt;
  const bool timed_out = known && queue_.timed_out(pod);
  queue_.remove(pod);
  cluster_.set_state(pod, PodState::kBound);
  updates_.count(pod);
  cluster_.set_started_at(pod, clock_.wall());
  std::optional<model::PodRecord> replaced;
  if (runs_where_it_counts(pod, leaving)) {
    replaced = cluster_.pod(pod);
    cluster_.update_pod(pod, *leaving.placed);
  } else {
    replaced = objects_.put(pod);
  }
  cluster_.touch_node_of(pod);
  const model::PodRecord& record = cluster_.pod(pod);
  report_(Bound{pod, cluster_.nodes().name(record.slot), extender, record.attempts, queued_at,
                timed_out});
  return replaced;
}

// kube-scheduler tells of the pod that leaves its node before it goes back to the queue if the
// binding failed, and afterwards if a plugin refused it: then the event does not count for the pod
// itself. A pod that the server bound all the same comes back by its own event.
void BindingCycles::binding_failed(const binding::Completion& completion, Leaving leaving) {
  using Outcome = binding::Completion::Outcome;
  const model::PodId pod = completion.pod;
  const model::PodRecord before = cluster_.pod(pod);
  const bool refused = completion.outcome == Outcome::kRefused;
  report_(BindingFailed{pod, completion.message, refused, {}});
  if (completion.outcome == Outcome::kLostSeen) {
    const std::optional<model::PodRecord> replaced = count_bound(pod, leaving, {});
    tell_events_of_bound(pod, replaced ? *replaced : before);
    reservation_.unreserve(*completion.profile, pod);
    bound_pods_.bound(pod);
  } else {
    take_from_node(*completion.profile, pod);
    if (!refused) events_.assigned_left(before);
    queue_.add_error(pod, clock_.now());
    if (refused) events_.assigned_left_others(before);
  }
  if (completion.outcome == Outcome::kLost) writes_.lose_answer(before);
  if (completion.outcome == Outcome::kConflict) return;  // the pod is another's
  writes_.binding_failed(before, !refused, completion.message);
}

// The pod stays on its node, and in flight as far as the queue is concerned.
void BindingCycles::binding_waits(binding::Completion& completion) {
  const model::PodId pod = completion.pod;
  std::vector<std::string_view> first;  // plugins
  for (const binding::PreBindWait::Hook& hook : completion.wait->hooks)
    if (!hook.since) first.push_back(completion.profile->pre_bind[hook.hook].point->plugin());
  pre_binds_.hold(pod, *completion.profile, std::move(completion.wait), clock_.now());
  for (const std::string_view plugin : first)
    report_(BindingWaits{pod, cluster_.nodes().name(cluster_.pod(pod).slot), plugin});
}

void BindingCycles::continue_pre_binds() {
  if (!pre_binds_.next() || *pre_binds_.next() > clock_.now()) return;
  while (auto due = pre_binds_.take_due(clock_.now())) {
    if (binder_.full()) bind();
    binder_.add(*due->profile, due->pod, calls_, std::move(due->wait));
  }
  bind();
  continue_released();
}

// The wait of a pod ends before its plugin answers.
void BindingCycles::end_pre_bind(const binding::PreBindWaits::Waiting& waiting,
                                 std::string_view why, After after) {
  end(*waiting.profile, waiting.pod,
      "running PreBind plugin \"" + waiting.plugin() + "\": " + std::string(why) +
          " while the plugin waited",
      after);
}

// Pods that wait in PreBind, and that others preempted.
void BindingCycles::end_preempted() {
  for (const Preempted& one : std::exchange(preempted_, {}))
    if (const auto waiting = pre_binds_.take(one.pod))
      end(*waiting->profile, one.pod,
          "running PreBind plugin \"" + waiting->plugin() + "\": preempted by " + one.plugin,
          After::kTriedAgain);
}

// Of a pod that is bound, whose answer came or comes no more.
void BindingCycles::post_bind(framework::Profile& profile, model::PodId pod) {
  if (profile.post_bind.empty()) return;
  if (binder_.full()) bind();
  binder_.add_bound(profile, pod);
  bind();
}

// The pod that is being released leaves before the server answers, or its update tells its node.
void BindingCycles::end_under_way(Leaving leaving) {
  const model::PodId pod = leaving.pod;
  if (runs_where_it_counts(pod, leaving)) {
    bound(pod, cluster_.pod(pod), leaving);
    return under_way_.see(pod);
  }
  const auto one = under_way_.take(pod);
  if (one->seen) {
    bound_pods_.bound(pod);
    return post_bind(*one->profile, pod);
  }
  const bool removed = leaving.placed == nullptr;
  end(*one->profile, pod,
      "running Bind plugin \"" + std::string(one->bound_by) +
          "\": " + (removed ? "the pod was removed" : "another scheduler bound the pod") +
          " before the server answered",
      removed ? After::kRemoved : After::kBoundByAnother);
}

// If another scheduler bound the pod, nobody hears that it left the node where it was assumed, even
// if it runs on another one: kube-scheduler's cache moves the pod with the event of that binding,
// which tells of an added pod alone. The binding cycle fails later, when the pod is assumed no
// more; so it forgets nothing, tells nothing, and does not queue the pod, which has a node.
void BindingCycles::end(framework::Profile& profile, model::PodId pod, const std::string& message,
                        After after) {
  const model::PodRecord before = cluster_.pod(pod);
  report_(BindingFailed{pod, message, false, {}});
  take_from_node(profile, pod);
  if (after != After::kTriedAgain) queue_.done(pod);
  if (after != After::kBoundByAnother) events_.assigned_left(before);
  if (after != After::kTriedAgain) return;
  queue_.add_error(pod, clock_.now());
  writes_.binding_failed(before, true, message);
  finish_writes();
}

// The binding whose answer was lost.
void BindingCycles::bound_after_all(const model::PodRecord& before, Leaving leaving) {
  cluster_.withdraw_nomination(before.id);
  cluster_.place(before.id, cluster_.nodes().name(before.slot));
  bound(before.id, before, leaving);
}

void BindingCycles::expire_permits() {
  const auto name = [&](model::PodId pod) { return full_name(cluster_, pod); };
  while (permits_.pods().expire(clock_.now(), name)) continue_released();
}

void BindingCycles::continue_released(Leaving leaving) {
  while (const std::optional<binding::Released> released = permits_.pods().take_released()) {
    if (keeper_ != nullptr)
      keeper_->permit_waited(released->allowed, clock_.now() - released->since);
    if (released->allowed) {
      begin(*released->profile, released->pod, 0, true, leaving);
    } else if (released->failed) {
      fail_waiting(*released, leaving);
    } else {
      refuse_waiting(*released, leaving);
    }
    if (!writes_.empty()) finish_writes(leaving);
  }
  end_preempted();
  permits_.activate_asked(clock_.now());
}

void BindingCycles::fail_waiting(const binding::Released& released, Leaving leaving) {
  const After after = released.pod != leaving.pod ? After::kTriedAgain
                      : leaving.placed == nullptr ? After::kRemoved
                                                  : After::kBoundByAnother;
  end(*released.profile, released.pod, "waiting on permit for pod: " + released.message, after);
}

void BindingCycles::refuse_waiting(const binding::Released& released, Leaving leaving) {
  const model::PodId pod = released.pod;
  const bool leaves = pod == leaving.pod;
  const model::PodRecord before = cluster_.pod(pod);
  framework::Refusers refused_by;
  refused_by.plugins.push_back(released.plugin);
  const std::string message =
      framework::fit_error(1, framework::ReasonCounts{{released.message, 1}});
  report_(BindingFailed{pod, message, true, refused_by.plugins});
  take_from_node(*released.profile, pod);
  if (leaves) {
    queue_.done(pod);
  } else {
    queue_.add_unschedulable(pod, policy_.refusers(*policy_.profile_of(before), refused_by),
                             clock_.now());
    writes_.binding_failed(before, false, message);
  }
  // A pod that another scheduler bound is assumed no more, as in end().
  if (!leaves || leaving.placed == nullptr) events_.assigned_left_others(before);
}

}  // namespace berth::runtime
