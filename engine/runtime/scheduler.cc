#include "engine/runtime/scheduler.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::runtime {
namespace {

using model::PodState;

constexpr char kDefaultSchedulerName[] = "default-scheduler";

}  // namespace

Scheduler::Scheduler(model::Cluster& cluster,
                     std::vector<std::unique_ptr<framework::Profile>>& profiles,
                     binding::Binder& binder, host::CallContext& calls, SchedulerOptions options)
    : cluster_(cluster),
      profiles_(profiles),
      binder_(binder),
      reservation_(cluster, calls),
      calls_(calls),
      options_(options) {
  if (options_.evaluation == framework::Evaluation::kReference) {
    evaluator_ = std::make_unique<framework::ReferenceEvaluator>(cluster, calls);
  } else {
    options_.full.keeps = options_.evaluation == framework::Evaluation::kIncremental;
    auto batch = std::make_unique<framework::BatchEvaluator>(cluster, calls, options_.full);
    batch_ = batch.get();
    evaluator_ = std::move(batch);
    others_ = batch_->workers();
  }
  // The reference evaluation has one thread for everything.
  framework::Workers* workers = batch_ != nullptr ? options_.full.workers : nullptr;
  decider_ =
      std::make_unique<framework::Decider>(cluster, *evaluator_, calls, options_.decide,
                                           framework::PostFilterOptions{workers, options_.trials});
  for (host::CallContext* of : decider_->what_if_calls()) others_.push_back(of);
  for (const auto& profile : profiles_) {
    const model::StringId name = cluster_.strings().intern(profile->scheduler_name());
    if (name >= profile_by_name_.size()) profile_by_name_.resize(name + 1);
    profile_by_name_[name] = profile.get();
    if (profile->scheduler_name() == kDefaultSchedulerName) default_profile_ = profile.get();
  }
}

framework::Profile* Scheduler::profile_of(model::PodId pod) const {
  const model::PodTemplate& t = cluster_.templates()[cluster_.pod(pod).pod_template];
  if (t.spec.scheduler_name.empty()) return default_profile_;
  return t.scheduler_name < profile_by_name_.size() ? profile_by_name_[t.scheduler_name] : nullptr;
}

Scheduler::Records Scheduler::records(std::span<const model::PodId> pods) const {
  Records records;
  records.reserve(pods.size());
  for (const model::PodId pod : pods) records.push_back(&cluster_.pod(pod));
  return records;
}

std::vector<std::optional<Scheduler::Gate>> Scheduler::gates(framework::Profile& profile,
                                                             const Records& pods) {
  std::vector<std::optional<Gate>> gates(pods.size());
  std::vector<uint8_t> codes(pods.size());
  std::vector<uint32_t> reasons(pods.size());
  for (auto& hook : profile.pre_enqueue) {
    hook.bound.gather_pods(nullptr, pods, {}, columns_);
    berth_call call = framework::BoundHook::call(columns_, pods.size(), nullptr, 0);
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
    host::CallError error = hook.point->call(calls_, call, codes, reasons);
    for (size_t i = 0; i < pods.size(); ++i) {
      if (gates[i] || (!error && codes[i] == BERTH_SUCCESS)) continue;
      gates[i] = Gate{hook.point->plugin(), error ? error.text() : std::string()};
      if (error) continue;
      hook.bound.gather_pods(nullptr, {&pods[i], 1}, {}, columns_);
      berth_call one = framework::BoundHook::call(columns_, 1, nullptr, 0);
      std::vector<std::string> texts;
      host::CallError failure = hook.point->describe(calls_, one, reasons[i], texts);
      for (const std::string& text : texts)
        gates[i]->message += (gates[i]->message.empty() ? "" : ", ") + text;
      if (failure) gates[i]->message = failure.text();
    }
  }
  return gates;
}

std::vector<queue::SortKey> Scheduler::sort_keys(framework::Profile& profile, const Records& pods) {
  std::vector<queue::SortKey> keys(pods.size());
  BERTH_ASSERT(profile.queue_sort.size() == 1);
  auto& hook = profile.queue_sort.front();
  hook.bound.gather_pods(nullptr, pods, {}, columns_);
  berth_call call = framework::BoundHook::call(columns_, pods.size(), nullptr, 0);
  if (host::CallError error = hook.point->call(calls_, call, keys))
    throw Error("plugin \"" + hook.point->plugin() +
                "\" cannot sort the queue, and nothing can be scheduled without: " + error.text());
  return keys;
}

void Scheduler::enqueue(std::span<const model::PodId> pods, const OnReport& report) {
  // By profile, in the order of the pods: a batch mostly belongs to one.
  std::vector<std::pair<framework::Profile*, std::vector<model::PodId>>> groups;
  for (const model::PodId pod : pods) {
    framework::Profile* profile = profile_of(pod);
    if (profile == nullptr) {
      const model::TemplateId t = cluster_.pod(pod).pod_template;
      report(Ignored{pod, "no profile for scheduler name \"" +
                              cluster_.templates()[t].spec.scheduler_name + "\""});
      continue;
    }
    const bool first = cluster_.pod(pod).queue_time == 0;
    cluster_.set_queue_time(pod, ++entries_, first ? arrivals_++ : cluster_.pod(pod).arrival);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == profile; });
    if (group == groups.end()) group = groups.insert(groups.end(), {profile, {}});
    group->second.push_back(pod);
  }
  for (const auto& [profile, members] : groups) enqueue_for(*profile, members, report);
}

void Scheduler::enqueue_for(framework::Profile& profile, std::span<const model::PodId> pods,
                            const OnReport& report) {
  std::vector<std::optional<Gate>> held = gates(profile, records(pods));
  std::vector<model::PodId> free;
  for (size_t i = 0; i < pods.size(); ++i) {
    if (!held[i]) {
      cluster_.set_state(pods[i], PodState::kWaiting);
      free.push_back(pods[i]);
      continue;
    }
    cluster_.set_state(pods[i], PodState::kGated);
    report(Gated{pods[i], std::move(held[i]->plugin), std::move(held[i]->message)});
  }
  const std::vector<queue::SortKey> keys = sort_keys(profile, records(free));
  for (size_t i = 0; i < free.size(); ++i) {
    cluster_.nominate(free[i]);
    active_.push(keys[i], free[i]);
  }
}

void Scheduler::pod_updated(model::PodId pod, const OnReport& report) {
  const bool queued = active_.remove(pod);
  if (queued || cluster_.pod(pod).state == PodState::kGated) enqueue({&pod, 1}, report);
}

void Scheduler::release(model::PodId pod, const OnReport& report) {
  active_.remove(pod);
  if (cluster_.pod(pod).state == PodState::kBinding) bind_assumed(report);
}

bool Scheduler::step(const OnReport& report) {
  const std::optional<model::PodId> next = active_.pop();
  if (!next) return false;
  framework::Profile* profile = profile_of(*next);
  BERTH_ASSERT(profile != nullptr);
  attempt(*profile, *next, report);
  return true;
}

void Scheduler::time_calls() {
  const bool timed = decisions_ % options_.time_calls_every == 0;
  calls_.time_calls(timed);
  for (host::CallContext* calls : others_) calls->time_calls(timed);
}

void Scheduler::attempt(framework::Profile& profile, model::PodId pod, const OnReport& report) {
  time_calls();
  ++decisions_;
  cluster_.set_state(pod, PodState::kInFlight);
  const model::PodRecord& record = cluster_.pod(pod);
  framework::Request request;
  request.pod = &record;
  request.attempt = record.attempts;
  request.start = start_;
  decision_ = decider_->decide(profile, request);
  cluster_.count_attempt(pod);
  start_ = decision_.next_start;
  const bool scheduled = decision_.outcome == framework::Outcome::kScheduled;
  hash_.add(cluster_.text(record.namespace_name), cluster_.text(record.name),
            scheduled ? cluster_.node_name(decision_.row) : std::string_view(), decision_);
  if (scheduled && options_.assume) {
    assume(profile, pod, report);
  } else {
    report_decision(pod, report);
    cluster_.set_state(pod, PodState::kWaiting);
  }
}

void Scheduler::assume(framework::Profile& profile, model::PodId pod, const OnReport& report) {
  // What the decision saw is gone once the pod counts on its node, so the report comes first. Where
  // a plugin may still refuse the pod, it cannot.
  const bool final = profile.reserve.empty() && profile.permit.empty();
  if (final) report_decision(pod, report);
  cluster_.withdraw_nomination(pod);
  cluster_.place(pod, decision_.row);
  cluster_.set_state(pod, PodState::kAssumed);
  if (!final) {
    if (auto rejection = reservation_.reserve(profile, pod, decision_.row)) {
      take_back(profile, pod);
      decision_.outcome =
          rejection->failed ? framework::Outcome::kError : framework::Outcome::kUnschedulable;
      decision_.reasons = std::move(rejection->reasons);
      decision_.message = std::move(rejection->message);
      decision_.row = model::kNoRow;
      report_decision(pod, report);
      return;
    }
    report_decision(pod, report);
  }
  cluster_.set_state(pod, PodState::kBinding);
  binder_.add(profile, pod);
  if (binder_.full()) bind_assumed(report);
}

// A pod that does not keep its node loses its nomination, too. Source: kube-scheduler
// schedule_one.go newFailureNominatingInfo.
void Scheduler::take_back(framework::Profile& profile, model::PodId pod) {
  reservation_.unreserve(profile, pod);
  cluster_.unplace(pod);
  cluster_.set_nominated_node(pod, 0);
  cluster_.set_state(pod, PodState::kWaiting);
}

void Scheduler::bind_assumed(const OnReport& report) {
  const size_t count = binder_.size();
  if (count == 0) return;
  report(BindingBegins{count});
  for (binding::Completion& completion : binder_.flush(calls_)) {
    if (completion.bound) {
      cluster_.set_state(completion.pod, PodState::kBound);
      const model::Slot slot = cluster_.pod(completion.pod).slot;
      report(Bound{completion.pod, cluster_.text(cluster_.nodes().node(slot).name)});
    } else {
      take_back(*completion.profile, completion.pod);
      report(BindingFailed{completion.pod, completion.message});
    }
  }
  report(BindingEnds{count});
}

void Scheduler::report_decision(model::PodId pod, const OnReport& report) {
  switch (decision_.outcome) {
    case framework::Outcome::kScheduled:
      return report(Scheduled{pod, cluster_.node_name(decision_.row), &decision_});
    case framework::Outcome::kUnschedulable:
      return report(Refused{pod, &decision_});
    case framework::Outcome::kError:
      return report(Failed{pod, &decision_});
  }
}

}  // namespace berth::runtime
