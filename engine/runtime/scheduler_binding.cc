// What becomes of a pod after it was assumed: its binding cycle ends, waits, or fails, and the pods
// that Permit held go on.

#include "engine/base/assert.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/runtime/scheduler.h"

namespace berth::runtime {

using model::PodState;

void Scheduler::bind_assumed(const OnReport& report) {
  const size_t count = binder_.size();
  if (count == 0) return;
  report(BindingBegins{count});
  const std::span<binding::Completion> completions = binder_.flush(calls_);
  while (const auto object = cluster_.volumes().next_write())
    if (server_ != nullptr) server_->put(*object);
  for (binding::Completion& completion : completions) {
    take_completion(completion, report);
    if (!writes_.empty()) finish_writes(report);
  }
  report(BindingEnds{count});
}

void Scheduler::take_completion(binding::Completion& completion, const OnReport& report) {
  using Outcome = binding::Completion::Outcome;
  switch (completion.outcome) {
    case Outcome::kBound:
      return bound(completion.pod, cluster_.pod(completion.pod), report, completion.extender);
    case Outcome::kWaits:
      return binding_waits(completion, report);
    case Outcome::kUnderWay:
      return under_way_.add(completion.number,
                            {completion.pod, completion.profile, completion.bound_by});
    case Outcome::kTold:
      return;
    case Outcome::kFailed:
    case Outcome::kConflict:
    case Outcome::kRefused:
    case Outcome::kLost:
    case Outcome::kLostSeen:
      return binding_failed(completion, report);
  }
}

size_t Scheduler::answer(std::span<const BindingAnswer> answers, const OnReport& report) {
  size_t unknown = 0;
  for (const BindingAnswer& one : answers) {
    // The server may be faster than the owner, who has not looked at the batch.
    if (!under_way_.contains(one.number) && binder_.size() != 0) bind_assumed(report);
    unknown += !answer(one, report);
    if (!writes_.empty()) finish_writes(report);
  }
  continue_released(report);
  return unknown;
}

// A pod whose update came is bound, whatever the answer says.
bool Scheduler::answer(const BindingAnswer& answer, const OnReport& report) {
  auto one = under_way_.take(answer.number);
  if (!one) return false;
  const model::PodId pod = one->pod;
  if (answer.answer.kind == binding::BindAnswer::Kind::kBound) {
    if (!one->seen) bound(pod, cluster_.pod(pod), report);
    post_bind(*one->profile, pod, report);
    return true;
  }
  binding::Completion completion;
  completion.pod = pod;
  completion.profile = one->profile;
  end_with_error(completion, one->bound_by, answer.answer);
  if (!one->seen) {
    binding_failed(completion, report);
    return true;
  }
  report(BindingFailed{pod, completion.message, false, {}});
  reservation_.unreserve(*one->profile, pod);
  return true;
}

void Scheduler::settle(const OnReport& report) {
  do {
    bind_assumed(report);
    continue_released(report);
  } while (binder_.size() != 0);
}

// The binding is known to all: what was a pending pod is one on a node, with the latest object.
void Scheduler::bound(model::PodId pod, const model::PodRecord& before, const OnReport& report,
                      std::string_view extender) {
  const bool known = queue_.place(pod) != queue::Place::kNone;
  const std::optional<Time> queued_at = known ? queue_.first_active_at(pod) : std::nullopt;
  queue_.remove(pod);
  cluster_.set_state(pod, PodState::kBound);
  updates_.count(pod);
  cluster_.set_started_at(pod, clock_.wall());
  std::optional<model::PodRecord> replaced;
  if (runs_where_it_counts(pod)) {
    replaced = cluster_.pod(pod);
    cluster_.update_pod(pod, *placed_);
  }
  cluster_.touch_node_of(pod);
  const model::PodRecord& record = cluster_.pod(pod);
  report(Bound{pod, cluster_.nodes().name(record.slot), extender, record.attempts, queued_at});
  events_.assigned_added(pod);
  events_.nomination_ends(replaced ? *replaced : before);
}

// kube-scheduler tells of the pod that leaves its node before it goes back to the queue if the
// binding failed, and afterwards if a plugin refused it: then the event does not count for the pod
// itself. A pod that the server bound all the same comes back by its own event.
void Scheduler::binding_failed(const binding::Completion& completion, const OnReport& report) {
  using Outcome = binding::Completion::Outcome;
  const model::PodId pod = completion.pod;
  const model::PodRecord before = cluster_.pod(pod);
  const bool refused = completion.outcome == Outcome::kRefused;
  report(BindingFailed{pod, completion.message, refused, {}});
  if (completion.outcome == Outcome::kLostSeen) {
    bound(pod, before, report);
    reservation_.unreserve(*completion.profile, pod);
  } else {
    take_from_node(*completion.profile, pod);
    if (!refused) events_.assigned_left(before);
    queue_.add_error(pod, clock_.now());
    if (refused) events_.assigned_left_others(before);
  }
  if (completion.outcome == Outcome::kLost)
    writes_.push_back({.kind = Write::Kind::kBind, .before = before});
  if (completion.outcome == Outcome::kConflict) return;  // the pod is another's
  const model::PodRecord known = cluster_.pod(pod);
  clear_nomination(before, report);
  write_status(known, !refused, completion.message);
}

// The pod stays on its node, and in flight as far as the queue is concerned.
void Scheduler::binding_waits(binding::Completion& completion, const OnReport& report) {
  const model::PodId pod = completion.pod;
  const bool first = !completion.wait->since;
  const std::string& plugin = completion.profile->pre_bind[completion.wait->hook].point->plugin();
  pre_binds_.hold(pod, *completion.profile, std::move(completion.wait), clock_.now());
  if (first) report(BindingWaits{pod, cluster_.nodes().name(cluster_.pod(pod).slot), plugin});
}

void Scheduler::continue_pre_binds(const OnReport& report) {
  if (!pre_binds_.next() || *pre_binds_.next() > clock_.now()) return;
  while (auto due = pre_binds_.take_due(clock_.now())) {
    if (binder_.full()) bind_assumed(report);
    binder_.add(*due->profile, due->pod, calls_, std::move(due->wait));
  }
  bind_assumed(report);
  continue_released(report);
}

// The wait of a pod ends before its plugin answers.
void Scheduler::end_pre_bind(const binding::PreBindWaits::Waiting& waiting, std::string_view why,
                             bool pod_leaves, const OnReport& report) {
  end_binding(*waiting.profile, waiting.pod,
              "running PreBind plugin \"" + waiting.plugin() + "\": " + std::string(why) +
                  " while the plugin waited",
              pod_leaves, report);
}

// Of a pod that is bound, whose answer came or comes no more.
void Scheduler::post_bind(framework::Profile& profile, model::PodId pod, const OnReport& report) {
  if (profile.post_bind.empty()) return;
  if (binder_.full()) bind_assumed(report);
  binder_.add_bound(profile, pod);
  bind_assumed(report);
}

// The pod that is being released leaves before the server answers, or its update tells its node.
void Scheduler::end_under_way(const OnReport& report) {
  if (runs_where_it_counts(leaving_)) {
    bound(leaving_, cluster_.pod(leaving_), report);
    return under_way_.see(leaving_);
  }
  const auto one = under_way_.take(leaving_);
  if (one->seen) return post_bind(*one->profile, leaving_, report);
  end_binding(*one->profile, leaving_,
              "running Bind plugin \"" + std::string(one->bound_by) + "\": " +
                  (placed_ == nullptr ? "the pod was removed" : "another scheduler bound the pod") +
                  " before the server answered",
              true, report);
}

// If another scheduler bound the pod, nobody hears that it left the node where it was assumed, even
// if it runs on another one: kube-scheduler's cache moves the pod with the event of that binding,
// which tells of an added pod alone. The binding cycle fails later, when the pod is assumed no
// more; so it forgets nothing, tells nothing, and does not queue the pod, which has a node.
void Scheduler::end_binding(framework::Profile& profile, model::PodId pod,
                            const std::string& message, bool pod_leaves, const OnReport& report) {
  const model::PodRecord before = cluster_.pod(pod);
  const bool bound_by_another = leaving_ == pod && placed_ != nullptr;
  report(BindingFailed{pod, message, false, {}});
  take_from_node(profile, pod);
  if (pod_leaves) queue_.done(pod);
  if (!bound_by_another) events_.assigned_left(before);
  if (pod_leaves) return;
  queue_.add_error(pod, clock_.now());
  const model::PodRecord known = cluster_.pod(pod);
  clear_nomination(before, report);
  write_status(known, true, message);
  finish_writes(report);
}

// kube-scheduler clears the name in the status if the object that was decided has one, and leaves a
// name that was written since.
void Scheduler::clear_nomination(const model::PodRecord& decided, const OnReport& report) {
  cluster_.withdraw_nomination(decided.id);
  if (decided.nominated_node == 0) return;
  nominate(decided.id, 0);
  report(Nominated{decided.id, {}});
}

// The binding whose answer was lost.
void Scheduler::bound_after_all(const model::PodRecord& before, const OnReport& report) {
  cluster_.withdraw_nomination(before.id);
  cluster_.place(before.id, cluster_.nodes().name(before.slot));
  bound(before.id, before, report);
}

void Scheduler::expire_permits(const OnReport& report) {
  const auto name = [&](model::PodId pod) { return full_name(cluster_, pod); };
  while (waiting_.expire(clock_.now(), name)) continue_released(report);
}

void Scheduler::continue_released(const OnReport& report) {
  while (const std::optional<binding::Released> released = waiting_.take_released()) {
    if (released->allowed) {
      hand_to_binder(*released->profile, released->pod, 0, report);
    } else {
      refuse_waiting(*released, report);
    }
    if (!writes_.empty()) finish_writes(report);
  }
  if (!activated_.empty()) activate_asked();
}

void Scheduler::refuse_waiting(const binding::Released& released, const OnReport& report) {
  const model::PodId pod = released.pod;
  const model::PodRecord before = cluster_.pod(pod);
  framework::Refusers refused_by;
  refused_by.plugins.push_back(released.plugin);
  const std::string message =
      framework::fit_error(1, framework::ReasonCounts{{released.message, 1}});
  report(BindingFailed{pod, message, true, refused_by.plugins});
  take_from_node(*released.profile, pod);
  if (leaving_ == pod) {
    queue_.done(pod);
  } else {
    requeue(*policy_.profile_of(before), pod, false, refused_by);
    const model::PodRecord known = cluster_.pod(pod);
    clear_nomination(before, report);
    write_status(known, false, message);
  }
  // A pod that another scheduler bound is assumed no more, as in end_binding().
  if (leaving_ != pod || placed_ == nullptr) events_.assigned_left_others(before);
}

}  // namespace berth::runtime
