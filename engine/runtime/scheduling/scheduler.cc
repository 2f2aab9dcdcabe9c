#include "engine/runtime/scheduling/scheduler.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::runtime {

using model::PodState;

namespace {

queue::QueueOptions with_key_bytes(queue::QueueOptions options, size_t key_bytes) {
  options.key_bytes = key_bytes;
  return options;
}

}  // namespace

Scheduler::Scheduler(model::Cluster& cluster,
                     std::vector<std::unique_ptr<framework::Profile>>& profiles,
                     binding::Binder& binder, host::CallContext& calls, const Clock& clock,
                     Server* server, const OnReport& report, SchedulerOptions options)
    : cluster_(cluster),
      clock_(clock),
      report_(report),
      options_(std::move(options)),
      policy_(cluster, profiles, calls, server),
      queue_(policy_, with_key_bytes(options_.queue, policy_.key_bytes())),
      events_(cluster, queue_, clock, options_.rules),
      bound_pods_(cluster, profiles, calls),
      updates_(cluster),
      decisions_(cluster, policy_, queue_, calls, binder.thread_calls(), options_),
      writes_(cluster, server, report, options_.rules),
      bindings_({.cluster = cluster,
                 .binder = binder,
                 .calls = calls,
                 .clock = clock,
                 .policy = policy_,
                 .queue = queue_,
                 .events = events_,
                 .bound_pods = bound_pods_,
                 .updates = updates_,
                 .writes = writes_,
                 .report = report,
                 .server = server},
                options_) {
  policy_.register_interests(queue_, options_.decide.extenders != nullptr);
}

void Scheduler::keep_time(Timekeeper* keeper) {
  decisions_.keep_time(keeper);
  policy_.time_points(keeper);
  events_.keep_time(keeper);
  bindings_.keep_time(keeper);
}

void Scheduler::enqueue(std::span<const model::PodId> pods) {
  bound_pods_.catch_up();
  report_(Arrived{pods});
  // Neighbours of one profile together. Pods of equal priority leave in the order of their arrival,
  // whatever their profile.
  for (size_t begin = 0; begin < pods.size();) {
    const std::optional<queue::ProfileId> profile = policy_.profile_of(cluster_.pod(pods[begin]));
    size_t end = begin + 1;
    while (end < pods.size() && policy_.profile_of(cluster_.pod(pods[end])) == profile) ++end;
    const std::span<const model::PodId> neighbours = pods.subspan(begin, end - begin);
    profile ? enqueue(*profile, neighbours) : ignore(neighbours);
    begin = end;
  }
}

void Scheduler::enqueue(queue::ProfileId profile, std::span<const model::PodId> pods) {
  queue_.add(profile, pods, clock_.now());
  for (const model::PodId pod : pods) {
    if (queue_.place(pod) == queue::Place::kGated) {
      report_gated(pod);
    } else {
      cluster_.nominate(pod);
    }
  }
}

void Scheduler::ignore(std::span<const model::PodId> pods) {
  for (const model::PodId pod : pods) {
    const model::TemplateId t = cluster_.pod(pod).pod_template;
    report_(Ignored{pod, "no profile for scheduler name \"" +
                             cluster_.templates()[t].spec.scheduler_name + "\""});
  }
}

void Scheduler::report_gated(model::PodId pod) {
  const queue::RefuserId by = queue_.gated_by(pod);
  QueuePolicy::Gate gate = policy_.gate_of(cluster_.pod(pod), by);
  report_(Gated{pod, policy_.name(by), std::move(gate.message), gate.failed});
}

// A pod counts as nominated where its status says, from an update on even if it is gated. A gated
// pod that was added with a nomination does not count before.
void Scheduler::pending_updated(model::PodId pod, const model::PodRecord& before) {
  const std::optional<queue::ProfileId> profile = policy_.profile_of(cluster_.pod(pod));
  if (!profile) return;
  if (queue_.place(pod) == queue::Place::kNone) {
    enqueue({&pod, 1});
  } else {
    cluster_.nominate(pod);
    events_.pending_updated(*profile, pod, before);
    if (queue_.place(pod) == queue::Place::kGated) report_gated(pod);
  }
  if (before.nominated_node != cluster_.pod(pod).nominated_node) events_.nomination_ends(before);
}

void Scheduler::release(model::PodId pod, const model::PodRecord* placed) {
  bindings_.release(pod, placed);
  queue_.remove(pod);
}

void Scheduler::wake(std::string_view scheduler, const std::string& plugin) {
  if (const auto refuser = policy_.refuser(scheduler, plugin))
    queue_.wake(*refuser, policy_.profile_of(*refuser), clock_.now());
}

std::optional<model::PodId> Scheduler::pop() {
  const std::optional<model::PodId> pod = queue_.pop();
  if (!pod) return pod;
  ++cycle_;
  cluster_.set_state(*pod, PodState::kInFlight);
  return pod;
}

size_t Scheduler::queued() const {
  return queue_.size(queue::Place::kActive) +
         (options_.queue.pop_from_backoff ? queue_.size(queue::Place::kBackoff) : 0);
}

void Scheduler::attempt(model::PodId pod) {
  bound_pods_.catch_up();
  if (cluster_.pod(pod).terminating) {
    queue_.done(pod);
    cluster_.set_state(pod, PodState::kTerminating);
    cluster_.empty_nomination(pod);
    return report_(Skipped{pod});
  }
  const std::optional<queue::ProfileId> profile = policy_.profile_of(cluster_.pod(pod));
  BERTH_ASSERT(profile.has_value());
  framework::Decision& decision = decisions_.make(*profile, pod, cycle_, clock_.now());
  if (!options_.assume) {
    decisions_.end();
    queue_.done(pod);
    report_decision(pod, decision);
    cluster_.set_state(pod, PodState::kWaiting);
  } else if (decision.outcome == framework::Outcome::kScheduled) {
    assume(*profile, pod, decision);
  } else {
    decisions_.end();
    refuse(*profile, pod, decision);
  }
  if (!writes_.empty()) bindings_.finish_writes();
  if (bindings_.permits_were_asked()) bindings_.continue_released();
  decisions_.throw_difference();
}

void Scheduler::assume(queue::ProfileId id, model::PodId pod, framework::Decision& decision) {
  framework::Profile& profile = policy_.profile(id);
  const framework::DecisionContext& cycle = decisions_.cycle();
  // The report comes first: it shows the model without the pod on its node. It is not the last word
  // where a plugin may still refuse the pod.
  const bool final = !binding::Reservation::concerns(cycle);
  final ? report_decision(pod, decision) : report_(Chosen{pod, &decision});
  cluster_.withdraw_nomination(pod);
  cluster_.place(pod, decision.row);
  cluster_.set_state(pod, PodState::kAssumed);
  if (!final) {
    binding::Reserved reserved = bindings_.reserve(cycle, pod, decision.row);
    decisions_.end();
    if (reserved.rejection) return reject(id, pod, decision, *std::move(reserved.rejection));
    report_decision(pod, decision);
    if (!reserved.holds.empty()) {
      bindings_.hold(profile, pod, std::move(reserved.holds));
      return report_(PermitWaiting{pod, cluster_.node_name(decision.row)});
    }
  }
  decisions_.end();
  bindings_.begin(profile, pod, binding::skipped_pre_binds(cycle));
}

// Reserve or Permit did not let the pod have its node. Nobody hears of a pod that leaves a node on
// which it never was for others.
void Scheduler::reject(queue::ProfileId profile, model::PodId pod, framework::Decision& decision,
                       binding::Rejection rejection) {
  decision.outcome =
      rejection.failed ? framework::Outcome::kError : framework::Outcome::kUnschedulable;
  decision.reasons = std::move(rejection.reasons);
  decision.message = std::move(rejection.message);
  decision.refused_by = std::move(rejection.refused_by);
  decision.nominating = framework::Nominating::kClear;
  decision.row = model::kNoRow;
  bindings_.take_from_node(policy_.profile(profile), pod);
  refuse(profile, pod, decision);
}

// The report comes first, because the first change of the model invalidates the decision's details.
void Scheduler::refuse(queue::ProfileId profile, model::PodId pod,
                       const framework::Decision& decision) {
  report_decision(pod, decision);
  const model::PodRecord before = cluster_.pod(pod);
  const bool failed = decision.outcome == framework::Outcome::kError;
  if (cluster_.pod(pod).state == PodState::kInFlight) cluster_.set_state(pod, PodState::kWaiting);
  const bool nominates = options_.preempts && decision.nominating == framework::Nominating::kSet;
  if (nominates) take_victims(pod, *decision.post_filter);
  requeue(profile, pod, decision);
  if (nominates)
    writes_.nominate(
        pod, cluster_.nodes().node(cluster_.nodes().slot_of(decision.post_filter->row)).name);
  if (decision.nominating == framework::Nominating::kClear) writes_.nominate(pod, 0);
  writes_.write_status(before, failed, decision.event());
  if (cluster_.pod(pod).nominated_node != before.nominated_node)
    report_(Nominated{pod, cluster_.text(cluster_.pod(pod).nominated_node)});
}

void Scheduler::requeue(queue::ProfileId profile, model::PodId pod,
                        const framework::Decision& decision) {
  if (decision.outcome == framework::Outcome::kError || decision.refused_by.empty()) {
    queue_.add_error(pod, clock_.now());
  } else {
    queue_.add_unschedulable(pod, policy_.refusers(profile, decision.refused_by), clock_.now());
  }
}

// Victims in the order of the nomination; then pods of lower priority that are nominated to the
// node lose their nomination, since the node is not theirs any more.
void Scheduler::take_victims(model::PodId pod, const framework::PostFilterResult& result) {
  const model::Slot slot = cluster_.nodes().slot_of(result.row);
  const bool fails = options_.rules.has(Rule::kPreemptedWaitingErrs);
  for (const model::PodId victim : result.victims) {
    if (bindings_.preempt(victim, result.plugin)) {
      report_(PermitPreempted{victim, pod, fails});
      continue;
    }
    if (!cluster_.pod(victim).placed() || cluster_.pod(victim).terminating) continue;
    report_(Evicted{victim, pod});
    writes_.evict(victim);
  }
  writes_.take_lower_nominations(slot, cluster_.pod(pod).priority);
}

void Scheduler::status_known(const model::PodRecord& before) {
  if (!cluster_.pods().contains(before.id)) return;
  const model::PodRecord& now = cluster_.pod(before.id);
  if (now.placed()) {
    if (bindings_.is_told(now.id)) bound_pods_.changed(now.id);
    if (now.state == PodState::kBound) events_.assigned_updated(now.id, before);
    return;
  }
  if (const auto profile = policy_.profile_of(now))
    events_.pending_updated(*profile, now.id, before);
  if (before.nominated_node != now.nominated_node) events_.nomination_ends(before);
}

void Scheduler::report_decision(model::PodId pod, const framework::Decision& decision) {
  switch (decision.outcome) {
    case framework::Outcome::kScheduled:
      return report_(Scheduled{pod, cluster_.node_name(decision.row), &decision});
    case framework::Outcome::kUnschedulable:
      return report_(Refused{pod, &decision});
    case framework::Outcome::kError:
      return report_(Failed{pod, &decision});
  }
}

}  // namespace berth::runtime
