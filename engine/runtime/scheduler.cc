#include "engine/runtime/scheduler.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::runtime {
namespace {

using model::PodState;

}  // namespace

Scheduler::Scheduler(model::Cluster& cluster,
                     std::vector<std::unique_ptr<framework::Profile>>& profiles,
                     binding::Binder& binder, host::CallContext& calls, const Clock& clock,
                     Server* server, SchedulerOptions options)
    : cluster_(cluster),
      binder_(binder),
      reservation_(cluster, calls, options.observer),
      calls_(calls),
      clock_(clock),
      server_(server),
      options_(options),
      policy_(cluster, profiles, calls),
      queue_(policy_, options.queue),
      events_(cluster, queue_, clock),
      updates_(cluster) {
  evaluator_ = framework::make_evaluator(options_.evaluation, cluster, calls, options_.full);
  others_ = evaluator_->helpers();
  // The reference evaluation has one thread for everything.
  framework::Workers* workers =
      options_.evaluation == framework::Evaluation::kReference ? nullptr : options_.full.workers;
  decider_ =
      std::make_unique<framework::Decider>(cluster, *evaluator_, calls, options_.decide,
                                           framework::PostFilterOptions{workers, options_.trials});
  for (host::CallContext* of : decider_->what_if_calls()) others_.push_back(of);
  timed_with_decisions_ = others_.size();
  if (binder_.thread_calls() != nullptr) others_.push_back(binder_.thread_calls());
  const bool pays = options_.verify_every == framework::VerificationPace::kAsItPays;
  if (options_.verify_every != 0 &&
      !(pays && options_.evaluation == framework::Evaluation::kReference))
    verifier_ = std::make_unique<framework::Verifier>(cluster, options_.decide, options_.trials,
                                                      options_.verify_every);
  policy_.register_interests(queue_, options_.decide.extenders != nullptr);
  if (options_.waiting != nullptr) options_.waiting->now = this;
}

Scheduler::~Scheduler() {
  if (options_.waiting != nullptr) options_.waiting->now = nullptr;
}

void Scheduler::enqueue(std::span<const model::PodId> pods, const OnReport& report) {
  report(Arrived{pods});
  // Neighbours of one profile together. Pods of equal priority leave in the order of their arrival,
  // whatever their profile.
  for (size_t begin = 0; begin < pods.size();) {
    const std::optional<queue::ProfileId> profile = policy_.profile_of(cluster_.pod(pods[begin]));
    size_t end = begin + 1;
    while (end < pods.size() && policy_.profile_of(cluster_.pod(pods[end])) == profile) ++end;
    const std::span<const model::PodId> neighbours = pods.subspan(begin, end - begin);
    profile ? enqueue(*profile, neighbours, report) : ignore(neighbours, report);
    begin = end;
  }
}

void Scheduler::enqueue(queue::ProfileId profile, std::span<const model::PodId> pods,
                        const OnReport& report) {
  queue_.add(profile, pods, clock_.now());
  for (const model::PodId pod : pods) {
    if (queue_.place(pod) == queue::Place::kGated) {
      report_gated(pod, report);
    } else {
      cluster_.nominate(pod);
    }
  }
}

void Scheduler::ignore(std::span<const model::PodId> pods, const OnReport& report) {
  for (const model::PodId pod : pods) {
    const model::TemplateId t = cluster_.pod(pod).pod_template;
    report(Ignored{pod, "no profile for scheduler name \"" +
                            cluster_.templates()[t].spec.scheduler_name + "\""});
  }
}

void Scheduler::report_gated(model::PodId pod, const OnReport& report) {
  const queue::RefuserId by = queue_.gated_by(pod);
  QueuePolicy::Gate gate = policy_.gate_of(cluster_.pod(pod), by);
  report(Gated{pod, policy_.name(by), std::move(gate.message), gate.failed});
}

// A pod counts as nominated where its status says, from an update on even if it is gated. A gated
// pod that was added with a nomination does not count before.
void Scheduler::pending_updated(model::PodId pod, const model::PodRecord& before,
                                const OnReport& report) {
  const std::optional<queue::ProfileId> profile = policy_.profile_of(cluster_.pod(pod));
  if (!profile) return;
  if (queue_.place(pod) == queue::Place::kNone) {
    enqueue({&pod, 1}, report);
  } else {
    cluster_.nominate(pod);
    events_.pending_updated(*profile, pod, before);
    if (queue_.place(pod) == queue::Place::kGated) report_gated(pod, report);
  }
  if (before.nominated_node != cluster_.pod(pod).nominated_node) events_.nomination_ends(before);
}

void Scheduler::release(model::PodId pod, const model::PodRecord* placed, const OnReport& report) {
  leaving_ = pod;
  placed_ = placed;
  if (is_in_a_batch(pod)) bind_assumed(report);
  if (waiting_.contains(pod)) {
    waiting_.reject(pod, {}, "removed");
    model::PodRecord object = cluster_.pod(pod);
    // If another scheduler bound it, kube-scheduler tells of a deleted pod with the object that was
    // pending, which has no node (eventhandlers.go deletePodFromSchedulingQueue).
    if (placed != nullptr) {
      object = updates_.latest(pod);
      object.slot = model::kNoSlot;
    }
    events_.assigned_left(object);
    continue_released(report);
  }
  if (const auto waiting = pre_binds_.take(pod))
    end_pre_bind(*waiting,
                 placed == nullptr ? "the pod was removed" : "another scheduler bound the pod",
                 true, report);
  if (under_way_.contains(pod)) end_under_way(report);
  queue_.remove(pod);
  leaving_ = {};
  placed_ = nullptr;
}

void Scheduler::release_node(model::Slot slot, const OnReport& report) {
  bind_assumed(report);
  for (const model::PodId pod : pre_binds_.pods())
    if (cluster_.pod(pod).slot == slot)
      end_pre_bind(*pre_binds_.take(pod), "the node was removed", false, report);
}

std::optional<model::PodId> Scheduler::pop() {
  const std::optional<model::PodId> pod = queue_.pop();
  if (pod) cluster_.set_state(*pod, PodState::kInFlight);
  return pod;
}

size_t Scheduler::queued() const {
  return queue_.size(queue::Place::kActive) +
         (options_.queue.pop_from_backoff ? queue_.size(queue::Place::kBackoff) : 0);
}

std::vector<host::CallContext*> Scheduler::watched_calls() {
  std::vector<host::CallContext*> all = others_;
  if (verifier_)
    for (host::CallContext* calls : verifier_->calls()) all.push_back(calls);
  return all;
}

uint64_t Scheduler::rows_off_main() const {
  uint64_t rows = evaluator_->rows_off_main();
  const std::vector<uint64_t> begun = decider_->what_ifs_begun();  // the deciding thread first
  for (size_t thread = 1; thread < begun.size(); ++thread) rows += begun[thread];
  return rows;
}

void Scheduler::time_calls() {
  const bool timed = decisions_ % options_.time_calls_every == 0;
  calls_.time_calls(timed);
  for (size_t i = 0; i < timed_with_decisions_; ++i) others_[i]->time_calls(timed);
}

void Scheduler::attempt(model::PodId pod, const OnReport& report) {
  if (cluster_.pod(pod).terminating) {
    queue_.done(pod);
    cluster_.set_state(pod, PodState::kTerminating);
    cluster_.empty_nomination(pod);
    return report(Skipped{pod});
  }
  const std::optional<queue::ProfileId> profile = policy_.profile_of(cluster_.pod(pod));
  BERTH_ASSERT(profile.has_value());
  decide(*profile, pod);
  if (!options_.assume) {
    end_decision();
    queue_.done(pod);
    report_decision(pod, report);
    cluster_.set_state(pod, PodState::kWaiting);
  } else if (decision_->outcome == framework::Outcome::kScheduled) {
    assume(*profile, pod, report);
  } else {
    end_decision();
    refuse(*profile, pod, report);
  }
  if (!writes_.empty()) finish_writes(report);
  if (waiting_.has_released() || !activated_.empty()) continue_released(report);
  if (differs_) throw *std::exchange(differs_, std::nullopt);
}

// Lets the evaluator prepare for the pods that are decided next.
void Scheduler::look_ahead(size_t most) {
  next_.clear();
  next_kinds_.clear();
  new_kinds_.clear();
  const bool introduces = evaluator_->prepares_new_kinds();
  queue_.next_active(most, next_);
  for (const model::PodId pod : next_) {
    const model::PodRecord& record = cluster_.pod(pod);
    const std::optional<queue::ProfileId> profile = policy_.profile_of(record);
    if (!profile || record.terminating) continue;
    const framework::PodKind& kind = policy_.profile(*profile).kind_of(record);
    const framework::KindAnswers answers = {kind.pre_filter.answers().number,
                                            kind.pre_score.answers().number};
    if (introduces && answers.pre_filter == 0) introduce(*profile, record);
    next_kinds_.push_back(answers);
  }
  evaluator_->prepare(next_kinds_, new_kinds_);
}

// A pod of a new kind.
void Scheduler::introduce(queue::ProfileId profile, const model::PodRecord& record) {
  framework::Request request;
  request.pod = &record;
  const host::AboutPod about(cluster_.text(record.namespace_name), cluster_.text(record.name),
                             host::AboutPod::Of::kDecision);
  if (auto context = decider_->introduce(policy_.profile(profile), request))
    new_kinds_.push_back(*std::move(context));
}

void Scheduler::decide(queue::ProfileId profile, model::PodId pod) {
  time_calls();
  ++decisions_;
  if (const size_t most = evaluator_->looks_ahead(); most != 0) look_ahead(most);
  const model::PodRecord& record = cluster_.pod(pod);
  framework::Request request;
  request.pod = &record;
  request.attempt = record.attempts;
  request.start = start_;
  const std::string_view namespace_name = cluster_.text(record.namespace_name);
  const std::string_view name = cluster_.text(record.name);
  const host::AboutPod about(namespace_name, name, host::AboutPod::Of::kDecision);
  decision_ = &decider_->decide(policy_.profile(profile), request);
  const bool scheduled = decision_->outcome == framework::Outcome::kScheduled;
  // The node's name is read below, and the pod placed there next.
  if (scheduled) {
    cluster_.nodes().prefetch(decision_->row);
    evaluator_->expect(decision_->row);
  }
  if (verifier_) verify(policy_.profile(profile), request);
  cluster_.count_attempt(pod);
  start_ = decision_->next_start;
  const bool stands = decision_->outcome == framework::Outcome::kScheduled;
  hash_.add(namespace_name, name, stands ? cluster_.node_name(decision_->row) : std::string_view(),
            *decision_);
}

// A decision that differs is not carried out: the attempt fails like one in which a plugin did.
void Scheduler::verify(framework::Profile& profile, const framework::Request& request) {
  const auto difference = verifier_->after(profile, request, *decider_, *decision_);
  if (!difference) return;
  differs_.emplace(framework::explain(*difference, model::full_name(cluster_, *request.pod),
                                      decisions_, framework::name_of(options_.evaluation)));
  const uint32_t next_start = decision_->next_start;
  *decision_ = {};
  decision_->next_start = next_start;
  decision_->nominating = framework::Nominating::kClear;
  decision_->message = differs_->message();
}

void Scheduler::assume(queue::ProfileId id, model::PodId pod, const OnReport& report) {
  framework::Profile& profile = policy_.profile(id);
  // What the decision saw is gone once the pod counts on its node, so a report comes first. Where
  // a plugin may still refuse the pod, it is not the last word.
  const bool final = !binding::Reservation::concerns(decider_->cycle());
  final ? report_decision(pod, report) : report(Chosen{pod, decision_});
  cluster_.withdraw_nomination(pod);
  cluster_.place(pod, decision_->row);
  cluster_.set_state(pod, PodState::kAssumed);
  if (!final) {
    binding::Reserved reserved = reservation_.reserve(decider_->cycle(), pod, decision_->row);
    end_decision();
    if (reserved.rejection) return reject(id, pod, *std::move(reserved.rejection), report);
    report_decision(pod, report);
    if (!reserved.holds.empty()) {
      cluster_.set_state(pod, PodState::kPermitWaiting);
      waiting_.hold(pod, profile, std::move(reserved.holds), clock_.now());
      return report(PermitWaiting{pod, cluster_.node_name(decision_->row)});
    }
  }
  end_decision();
  hand_to_binder(profile, pod, binding::skipped_pre_binds(decider_->cycle()), report);
}

// From here on, questions to plugins are not about this attempt alone.
void Scheduler::end_decision() {
  if (options_.decide.moment != nullptr) options_.decide.moment->end_decision();
}

void Scheduler::hand_to_binder(framework::Profile& profile, model::PodId pod, uint64_t skips,
                               const OnReport& report) {
  queue_.refusal_over(pod);
  cluster_.set_state(pod, PodState::kBinding);
  binder_.add(profile, pod, calls_, nullptr, skips);
  if (binder_.size() >= options_.bind_batch) bind_assumed(report);
}

// Reserve or Permit did not let the pod have its node. Nobody hears of a pod that leaves a node on
// which it never was for others.
void Scheduler::reject(queue::ProfileId profile, model::PodId pod, binding::Rejection rejection,
                       const OnReport& report) {
  decision_->outcome =
      rejection.failed ? framework::Outcome::kError : framework::Outcome::kUnschedulable;
  decision_->reasons = std::move(rejection.reasons);
  decision_->message = std::move(rejection.message);
  decision_->refused_by = std::move(rejection.refused_by);
  decision_->nominating = framework::Nominating::kClear;
  decision_->row = model::kNoRow;
  take_from_node(policy_.profile(profile), pod);
  refuse(profile, pod, report);
}

void Scheduler::take_from_node(framework::Profile& profile, model::PodId pod) {
  reservation_.unreserve(profile, pod);
  cluster_.unplace(pod);
  cluster_.set_state(pod, PodState::kWaiting);
  updates_.count(pod);
}

// The report comes first, because the first change of the model invalidates the decision's details.
void Scheduler::refuse(queue::ProfileId profile, model::PodId pod, const OnReport& report) {
  report_decision(pod, report);
  const model::PodRecord before = cluster_.pod(pod);
  const bool failed = decision_->outcome == framework::Outcome::kError;
  if (cluster_.pod(pod).state == PodState::kInFlight) cluster_.set_state(pod, PodState::kWaiting);
  const bool nominates = options_.preempts && decision_->nominating == framework::Nominating::kSet;
  if (nominates) take_victims(pod, report);
  requeue(profile, pod, failed, decision_->refused_by);
  if (nominates)
    nominate(pod,
             cluster_.nodes().node(cluster_.nodes().slot_of(decision_->post_filter->row)).name);
  if (decision_->nominating == framework::Nominating::kClear) nominate(pod, 0);
  write_status(before, failed, decision_->event());
  if (cluster_.pod(pod).nominated_node != before.nominated_node)
    report(Nominated{pod, cluster_.text(cluster_.pod(pod).nominated_node)});
}

void Scheduler::requeue(queue::ProfileId profile, model::PodId pod, bool failed,
                        const framework::Refusers& refused_by) {
  if (failed || refused_by.empty()) {
    queue_.add_error(pod, clock_.now());
  } else {
    queue_.add_unschedulable(pod, policy_.refusers(profile, refused_by), clock_.now());
  }
}

// The pod counts as nominated there from now on, and its status says so; 0: nowhere.
void Scheduler::nominate(model::PodId pod, model::StringId node) {
  cluster_.withdraw_nomination(pod);
  cluster_.set_nominated_node(pod, node);
  cluster_.nominate(pod);
}

// Victims in the order of the nomination; then pods of lower priority that are nominated to the
// node lose their nomination, since the node is not theirs any more.
void Scheduler::take_victims(model::PodId pod, const OnReport& report) {
  const framework::PostFilterResult& result = *decision_->post_filter;
  const model::Slot slot = cluster_.nodes().slot_of(result.row);
  for (const model::PodId victim : result.victims) {
    if (is_in_a_batch(victim)) bind_assumed(report);
    if (waiting_.reject(victim, result.plugin, "preempted") || waiting_.contains(victim)) continue;
    if (!cluster_.pod(victim).placed() || cluster_.pod(victim).terminating) continue;
    report(Evicted{victim, pod});
    writes_.push_back({.kind = Write::Kind::kEvict, .before = cluster_.pod(victim)});
  }
  std::vector<model::PodId> lower;
  for (const model::Nomination& nomination : cluster_.nodes().nominations().at(slot))
    if (nomination.priority < cluster_.pod(pod).priority &&
        !cluster_.pod(nomination.pod.pod).nominated_empty)
      lower.push_back(nomination.pod.pod);
  for (const model::PodId other : lower) {
    writes_.push_back({.before = cluster_.pod(other)});
    nominate(other, 0);
    report(Nominated{other, {}});
  }
}

// An API server tells nobody of a status that says what it said before.
void Scheduler::write_status(const model::PodRecord& before, bool failed, std::string text) {
  const uint32_t index = before.id.index;
  if (index >= conditions_.size()) conditions_.resize(index + size_t{1});
  const Condition condition{before.id.generation, failed, std::hash<std::string>{}(text)};
  const bool same = conditions_[index] == condition &&
                    cluster_.pod(before.id).nominated_node == before.nominated_node;
  conditions_[index] = condition;
  if (!same) writes_.push_back({.before = before, .failed = failed, .message = std::move(text)});
}

// The server may use the door meanwhile, which may write more.
void Scheduler::finish_writes(const OnReport& report) {
  std::vector<Write> writes = std::exchange(writes_, {});
  for (const Write& write : writes) {
    if (!cluster_.pods().contains(write.before.id)) continue;
    switch (write.kind) {
      case Write::Kind::kEvict:
        BERTH_ASSERT(server_ != nullptr);
        server_->evict(write.before.id);
        break;
      case Write::Kind::kBind:
        bound_after_all(write.before, report);
        break;
      case Write::Kind::kStatus:
        if (server_ != nullptr) server_->patch_status({write.before, write.failed, write.message});
        break;
    }
  }
  if (!writes_.empty()) return finish_writes(report);
  writes.clear();
  writes_ = std::move(writes);  // keeps the memory
}

void Scheduler::status_known(const model::PodRecord& before) {
  if (!cluster_.pods().contains(before.id)) return;
  const model::PodRecord& now = cluster_.pod(before.id);
  if (now.placed()) {
    if (now.state == PodState::kBound) events_.assigned_updated(now.id, before);
    return;
  }
  if (const auto profile = policy_.profile_of(now))
    events_.pending_updated(*profile, now.id, before);
  if (before.nominated_node != now.nominated_node) events_.nomination_ends(before);
}

void Scheduler::each(const std::function<void(uint64_t pod, uint32_t node)>& visit) {
  for (const model::PodId pod : waiting_.pods())
    visit(pod.handle(), cluster_.nodes().node(cluster_.pod(pod).slot).name);
}

// The queue may be what is calling the plugin, so the pods move later.
void Scheduler::activate(std::span<const uint64_t> pods) {
  for (const uint64_t pod : pods) activated_.push_back(model::PodId::from_handle(pod));
}

void Scheduler::activate_asked() {
  std::erase_if(activated_, [&](model::PodId pod) { return !cluster_.pods().contains(pod); });
  queue_.activate(activated_, clock_.now());
  activated_.clear();
}

void Scheduler::report_decision(model::PodId pod, const OnReport& report) {
  switch (decision_->outcome) {
    case framework::Outcome::kScheduled:
      return report(Scheduled{pod, cluster_.node_name(decision_->row), decision_});
    case framework::Outcome::kUnschedulable:
      return report(Refused{pod, decision_});
    case framework::Outcome::kError:
      return report(Failed{pod, decision_});
  }
}

}  // namespace berth::runtime
