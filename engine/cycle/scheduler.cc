#include "engine/cycle/scheduler.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::cycle {
namespace {

constexpr char kDefaultSchedulerName[] = "default-scheduler";

}  // namespace

Scheduler::Scheduler(model::Cluster& cluster,
                     std::vector<std::unique_ptr<framework::Profile>>& profiles, Binder& binder,
                     host::CallContext& worker, SchedulerOptions options)
    : cluster_(cluster), profiles_(profiles), binder_(binder), worker_(worker), options_(options) {
  if (options_.evaluation == framework::Evaluation::kReference) {
    evaluator_ = std::make_unique<framework::ReferenceEvaluator>(cluster, worker);
  } else {
    options_.full.keeps = options_.evaluation == framework::Evaluation::kIncremental;
    auto full = std::make_unique<framework::BatchEvaluator>(cluster, worker, options_.full);
    full_ = full.get();
    evaluator_ = std::move(full);
    others_ = full_->workers();
  }
  decider_ = std::make_unique<framework::Decider>(cluster, *evaluator_, worker, options_.decide);
  for (const auto& profile : profiles_) {
    model::StringId name = cluster_.strings().intern(profile->scheduler_name());
    if (name >= profile_by_name_.size()) profile_by_name_.resize(name + 1);
    profile_by_name_[name] = profile.get();
    if (profile->scheduler_name() == kDefaultSchedulerName) default_profile_ = profile.get();
  }
}

framework::Profile* Scheduler::profile_of(const model::PodRecord& pod) const {
  const model::PodTemplate& t = cluster_.templates()[pod.pod_template];
  if (t.spec.scheduler_name.empty()) return default_profile_;
  return t.scheduler_name < profile_by_name_.size() ? profile_by_name_[t.scheduler_name] : nullptr;
}

std::vector<std::optional<Scheduler::Gate>> Scheduler::gates(
    framework::Profile& profile, std::span<const model::PodRecord> pods) {
  std::vector<std::optional<Gate>> gates(pods.size());
  std::vector<uint8_t> codes(pods.size());
  std::vector<uint32_t> reasons(pods.size());
  for (auto& hook : profile.pre_enqueue) {
    hook.bound.gather_pods(nullptr, pods, {}, columns_);
    berth_call call = framework::BoundHook::call(columns_, pods.size(), nullptr, 0);
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
    host::CallError error = hook.point->call(worker_, call, codes, reasons);
    for (size_t i = 0; i < pods.size(); ++i) {
      if (gates[i] || (!error && codes[i] == BERTH_SUCCESS)) continue;
      gates[i] = Gate{hook.point->plugin(), error ? error.text() : std::string()};
      if (error) continue;
      hook.bound.gather_pods(nullptr, pods.subspan(i, 1), {}, columns_);
      berth_call one = framework::BoundHook::call(columns_, 1, nullptr, 0);
      std::vector<std::string> texts;
      host::CallError failure = hook.point->describe(worker_, one, reasons[i], texts);
      for (const std::string& text : texts)
        gates[i]->message += (gates[i]->message.empty() ? "" : ", ") + text;
      if (failure) gates[i]->message = failure.text();
    }
  }
  return gates;
}

std::vector<queue::SortKey> Scheduler::sort_keys(framework::Profile& profile,
                                                 std::span<const model::PodRecord> pods) {
  std::vector<queue::SortKey> keys(pods.size());
  BERTH_ASSERT(profile.queue_sort.size() == 1);
  auto& hook = profile.queue_sort.front();
  hook.bound.gather_pods(nullptr, pods, {}, columns_);
  berth_call call = framework::BoundHook::call(columns_, pods.size(), nullptr, 0);
  if (host::CallError error = hook.point->call(worker_, call, keys))
    throw Error("plugin \"" + hook.point->plugin() +
                "\" cannot sort the queue, and nothing can be scheduled without: " + error.text());
  return keys;
}

void Scheduler::enqueue(std::span<const model::PodRecord> pods, const OnResult& on_result) {
  // By profile, in the order of the pods: a batch mostly belongs to one.
  std::vector<std::pair<framework::Profile*, std::vector<model::PodRecord>>> groups;
  for (const model::PodRecord& pod : pods) {
    framework::Profile* profile = profile_of(pod);
    if (profile == nullptr) {
      PodResult result;
      result.pod = &pod;
      result.outcome = PodOutcome::kIgnored;
      result.message = "no profile for scheduler name \"" +
                       cluster_.templates()[pod.pod_template].spec.scheduler_name + "\"";
      on_result(result);
      continue;
    }
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == profile; });
    if (group == groups.end()) group = groups.insert(groups.end(), {profile, {}});
    group->second.push_back(pod);
    group->second.back().queued_at = arrivals_++;
  }
  for (auto& [profile, members] : groups) enqueue_for(*profile, std::move(members), on_result);
}

void Scheduler::enqueue_for(framework::Profile& profile, std::vector<model::PodRecord> pods,
                            const OnResult& on_result) {
  std::vector<std::optional<Gate>> held = gates(profile, pods);
  std::vector<model::PodRecord> free;
  for (size_t i = 0; i < pods.size(); ++i) {
    if (!held[i]) {
      free.push_back(pods[i]);
      continue;
    }
    PodResult result;
    result.pod = &pods[i];
    result.outcome = PodOutcome::kGated;
    result.gated_by = std::move(held[i]->plugin);
    result.message = std::move(held[i]->message);
    on_result(result);
  }
  std::vector<queue::SortKey> keys = sort_keys(profile, free);
  for (size_t i = 0; i < free.size(); ++i) {
    cluster_.nominate(free[i]);
    active_.push(keys[i], free[i]);
  }
}

bool Scheduler::schedule_next(const OnResult& on_result) {
  std::optional<queue::QueuedPod> next = active_.pop();
  if (!next) return false;
  framework::Profile* profile = profile_of(next->pod);
  BERTH_ASSERT(profile != nullptr);
  attempt(*profile, next->pod, on_result);
  return true;
}

void Scheduler::schedule(const model::PodRecord& pod, const OnResult& on_result) {
  enqueue({&pod, 1}, on_result);
  while (schedule_next(on_result)) {
  }
}

void Scheduler::attempt(framework::Profile& profile, const model::PodRecord& pod,
                        const OnResult& on_result) {
  if (binder_.belongs_to_other(profile)) flush(on_result);
  const bool timed = decisions_ % options_.time_calls_every == 0;
  worker_.time_calls(timed);
  for (host::CallContext* worker : others_) worker->time_calls(timed);
  ++decisions_;
  framework::Request request;
  request.pod = pod;
  request.arrival = pod.queued_at;
  request.start = start_;
  decision_ = decider_->decide(profile, request);
  start_ = decision_.next_start;
  std::string_view node = decision_.outcome == framework::Outcome::kScheduled
                              ? cluster_.node_name(decision_.row)
                              : std::string_view();
  hash_.add(cluster_.text(pod.namespace_name), cluster_.text(pod.name), node, decision_);
  if (decision_.outcome == framework::Outcome::kScheduled && options_.assume) {
    place(profile, pod, decision_, on_result);
  } else {
    report(pod, decision_, on_result);
  }
}

void Scheduler::place(framework::Profile& profile, const model::PodRecord& pod,
                      framework::Decision& decision, const OnResult& on_result) {
  // The report comes first: what the decision saw is gone once the pod counts on its node.
  bool plain = profile.reserve.empty() && profile.permit.empty();
  if (plain) report(pod, decision, on_result);
  cluster_.forget_nomination(pod);
  cluster_.place(pod, decision.row);
  if (!plain) {
    model::Row row = decision.row;
    if (!admit(profile, pod, decision)) {
      unreserve(profile, pod, row);
      cluster_.remove_pod(pod.namespace_name, pod.name);
      report(pod, decision, on_result);
      return;
    }
    report(pod, decision, on_result);
  }
  binder_.add(profile, pod, decision.row);
  if (binder_.full()) flush(on_result);
}

template <typename Hook, typename Call>
bool Scheduler::admit_at(Hook& hook, const char* point, const model::PodRecord& pod,
                         framework::Decision& decision, Call&& make) {
  hook.bound.gather_pods(nullptr, {&pod, 1}, {&decision.row, 1}, columns_);
  berth_call call = framework::BoundHook::call(columns_, 1, nullptr, 0);
  uint8_t code = BERTH_SUCCESS;
  uint32_t reason = 0;
  host::CallError error = make(call, code, reason);
  if (!error && code == BERTH_SUCCESS) return true;
  std::string where =
      std::string("running ") + point + " plugin \"" + hook.point->plugin() + "\": ";
  bool refused = !error && code != BERTH_ERROR && code != BERTH_WAIT;
  if (refused) {
    std::vector<std::string> texts;
    hook.bound.gather_pods(nullptr, {&pod, 1}, {&decision.row, 1}, columns_);
    berth_call again = framework::BoundHook::call(columns_, 1, nullptr, 0);
    error = hook.point->describe(worker_, again, reason, texts);
    decision.outcome = framework::Outcome::kUnschedulable;
    for (const std::string& text : texts) ++decision.reasons[text];
    decision.message = error ? where + error.text() : framework::fit_error(1, decision.reasons);
  } else {
    decision.outcome = framework::Outcome::kError;
    decision.message =
        where + (code == BERTH_WAIT
                     ? "it asks to hold the pod, and holding pods is not supported by this engine"
                 : error ? error.text()
                         : worker_.text());
  }
  decision.row = model::kNoRow;
  return false;
}

bool Scheduler::admit(framework::Profile& profile, const model::PodRecord& pod,
                      framework::Decision& decision) {
  for (auto& hook : profile.reserve)
    if (!admit_at(hook, "Reserve", pod, decision,
                  [&](berth_call& call, uint8_t& code, uint32_t& reason) {
                    return hook.point->call(worker_, call, {&code, 1}, {&reason, 1});
                  }))
      return false;
  for (auto& hook : profile.permit)
    if (!admit_at(hook, "Permit", pod, decision,
                  [&](berth_call& call, uint8_t& code, uint32_t& reason) {
                    int64_t timeout = 0;
                    return hook.point->call(worker_, call, {&code, 1}, {&reason, 1}, {&timeout, 1});
                  }))
      return false;
  return true;
}

// All of them, in reverse order, whether or not their own reserve came to be called: it is
// idempotent.
void Scheduler::unreserve(framework::Profile& profile, const model::PodRecord& pod,
                          model::Row row) {
  for (auto hook = profile.reserve.rbegin(); hook != profile.reserve.rend(); ++hook) {
    hook->bound.gather_pods(nullptr, {&pod, 1}, {&row, 1}, columns_);
    berth_call call = framework::BoundHook::call(columns_, 1, nullptr, 0);
    // It cannot fail by contract; one that does is counted, and there is nothing else to undo.
    static_cast<void>(hook->point->unreserve(worker_, call));
  }
}

void Scheduler::flush(const OnResult& on_result) {
  for (BindFailure& failure : binder_.flush(worker_)) {
    cluster_.remove_pod(failure.pod.namespace_name, failure.pod.name);
    PodResult result;
    result.pod = &failure.pod;
    result.outcome = PodOutcome::kError;
    result.message = std::move(failure.message);
    on_result(result);
  }
}

void Scheduler::report(const model::PodRecord& pod, const framework::Decision& decision,
                       const OnResult& on_result) {
  PodResult result;
  result.pod = &pod;
  result.decision = &decision;
  result.message = decision.message;
  switch (decision.outcome) {
    case framework::Outcome::kScheduled:
      result.outcome = PodOutcome::kScheduled;
      result.node = cluster_.node_name(decision.row);
      break;
    case framework::Outcome::kUnschedulable:
      result.outcome = PodOutcome::kUnschedulable;
      break;
    case framework::Outcome::kError:
      result.outcome = PodOutcome::kError;
      break;
  }
  on_result(result);
}

}  // namespace berth::cycle
