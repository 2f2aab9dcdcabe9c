#include "engine/runtime/scheduling/decisions.h"

#include <algorithm>
#include <utility>

#include "engine/framework/decision/decision_watch.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::runtime {

Decisions::Decisions(model::Cluster& cluster, const QueuePolicy& policy,
                     const queue::SchedulingQueue& queue, host::CallContext& calls,
                     host::CallContext* binding_calls, const SchedulerOptions& options)
    : cluster_(cluster),
      policy_(policy),
      queue_(queue),
      calls_(calls),
      options_(options),
      time_calls_every_(options.time_calls_every) {
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
  if (binding_calls != nullptr) others_.push_back(binding_calls);
  if (options_.batches) batches_ = Batches::make(cluster, policy, options_.decide);
  const bool pays = options_.verify_every == framework::VerificationPace::kAsItPays;
  if (options_.verify_every != 0 &&
      !(pays && options_.evaluation == framework::Evaluation::kReference))
    verifier_ = std::make_unique<framework::Verifier>(cluster, options_.decide, options_.trials,
                                                      options_.verify_every);
}

framework::Decision& Decisions::make(queue::ProfileId profile, model::PodId pod, uint64_t cycle,
                                     Time now) {
  time_calls();
  ++count_;
  if (const size_t most = evaluator_->looks_ahead(); most != 0) look_ahead(most);
  const model::PodRecord& record = cluster_.pod(pod);
  framework::Request request;
  request.pod = &record;
  request.attempt = record.attempts;
  request.start = start_;
  if (options_.batches) begin_batch(profile, cycle, now, request);
  const std::string_view namespace_name = cluster_.text(record.namespace_name);
  const std::string_view name = cluster_.text(record.name);
  const host::AboutPod about(namespace_name, name, host::AboutPod::Of::kDecision);
  framework::Decision& decision = decider_->decide(policy_.profile(profile), request);
  const bool scheduled = decision.outcome == framework::Outcome::kScheduled;
  // The node's name is read below, and the pod placed there next.
  if (scheduled) {
    cluster_.nodes().prefetch(decision.row);
    evaluator_->expect(decision.row);
  }
  if (verifier_) verify(policy_.profile(profile), request, decision);
  if (options_.batches) end_batch(policy_.profile(profile), request, decision);
  if (options_.decide.watch != nullptr) options_.decide.watch->made(*decider_, request, decision);
  cluster_.count_attempt(pod);
  start_ = decision.next_start;
  const bool stands = decision.outcome == framework::Outcome::kScheduled;
  hash_.add(namespace_name, name, stands ? cluster_.node_name(decision.row) : std::string_view(),
            decision);
  return decision;
}

void Decisions::begin_batch(queue::ProfileId profile, uint64_t cycle, Time now,
                            framework::Request& request) {
  const Time begun = keeper_ != nullptr ? keeper_->now() : Time{};
  request.batch_miss = framework::BatchMiss::kEmpty;
  if (batches_) batches_->begin(profile, {.signature = {}, .cycle = cycle, .now = now}, request);
  if (keeper_ != nullptr)
    keeper_->asked(framework::TimedPoint::kSign, policy_.profile(profile), BERTH_SUCCESS,
                   keeper_->now() - begun);
}

// Source: kube-scheduler v1.36.2 runtime/batch.go StoreScheduleResults.
void Decisions::end_batch(const framework::Profile& profile, const framework::Request& request,
                          const framework::Decision& decision) {
  const Time begun = keeper_ != nullptr ? keeper_->now() : Time{};
  if (batches_) batches_->end(*decider_, decision);
  if (keeper_ == nullptr || decision.outcome != framework::Outcome::kScheduled) return;
  using framework::BatchEnd;
  const bool named = decision.hint != 0;
  const BatchEnd end = from_batch(cluster_, decision) ? BatchEnd::kServed
                       : decision.feasible < 2        ? BatchEnd::kNoNodes
                       : request.keeps_scores         ? BatchEnd::kKept
                                                      : BatchEnd::kNotComparable;
  keeper_->batch_told(profile, named, end, keeper_->now() - begun);
}

void Decisions::keep_time(Timekeeper* keeper) {
  keeper_ = keeper;
  decider_->time_points(keeper);
  time_calls_every_ = keeper == nullptr ? options_.time_calls_every
                                        : std::min(options_.time_calls_every, kTimedForKeeper);
}

void Decisions::time_calls() {
  const bool timed = count_ % time_calls_every_ == 0;
  calls_.time_calls(timed);
  for (size_t i = 0; i < timed_with_decisions_; ++i) others_[i]->time_calls(timed);
}

// Lets the evaluator prepare for the pods that are decided next.
void Decisions::look_ahead(size_t most) {
  next_.pods.clear();
  next_.kinds.clear();
  next_.new_kinds.clear();
  const bool introduces = evaluator_->prepares_new_kinds();
  queue_.next_active(most, next_.pods);
  for (const model::PodId pod : next_.pods) {
    const model::PodRecord& record = cluster_.pod(pod);
    const std::optional<queue::ProfileId> profile = policy_.profile_of(record);
    if (!profile || record.terminating) continue;
    const framework::PodKind& kind = policy_.profile(*profile).kind_of(record);
    const framework::KindAnswers answers = {kind.pre_filter.answers().number,
                                            kind.pre_score.answers().number};
    if (introduces && answers.pre_filter == 0) introduce(*profile, record);
    next_.kinds.push_back(answers);
  }
  evaluator_->prepare(next_.kinds, next_.new_kinds);
}

// A pod of a new kind.
void Decisions::introduce(queue::ProfileId profile, const model::PodRecord& record) {
  framework::Request request;
  request.pod = &record;
  const host::AboutPod about(cluster_.text(record.namespace_name), cluster_.text(record.name),
                             host::AboutPod::Of::kDecision);
  if (auto context = decider_->introduce(policy_.profile(profile), request))
    next_.new_kinds.push_back(*std::move(context));
}

// A decision that differs is not carried out: the attempt fails like one in which a plugin did.
void Decisions::verify(framework::Profile& profile, const framework::Request& request,
                       framework::Decision& decision) {
  const auto difference = verifier_->after(profile, request, *decider_, decision);
  if (!difference) return;
  differs_.emplace(framework::explain(*difference, model::full_name(cluster_, *request.pod), count_,
                                      framework::name_of(options_.evaluation)));
  const uint32_t next_start = decision.next_start;
  decision = {};
  decision.next_start = next_start;
  decision.nominating = framework::Nominating::kClear;
  decision.message = differs_->message();
}

void Decisions::throw_difference() {
  if (differs_) throw *std::exchange(differs_, std::nullopt);
}

std::vector<host::CallContext*> Decisions::watched_calls() {
  std::vector<host::CallContext*> all = others_;
  if (verifier_)
    for (host::CallContext* calls : verifier_->calls()) all.push_back(calls);
  return all;
}

uint64_t Decisions::rows_off_main() const {
  uint64_t rows = evaluator_->rows_off_main();
  const std::vector<uint64_t> begun = decider_->what_ifs_begun();  // the deciding thread first
  for (size_t thread = 1; thread < begun.size(); ++thread) rows += begun[thread];
  return rows;
}

}  // namespace berth::runtime
