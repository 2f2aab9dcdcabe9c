#include "engine/metrics/parts/attempt_metrics.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/assert.h"

namespace berth::metrics {
namespace {

constexpr const char* kResultNames[] = {"scheduled", "unschedulable", "error"};

}  // namespace

AttemptMetrics::AttemptMetrics(prometheus::Registry& registry, const runtime::Core& core,
                               MachineClock clock)
    : core_(core),
      clock_(std::move(clock)),
      attempts_(families::schedule_attempts(registry)),
      durations_(families::attempt_duration(registry)),
      sli_durations_(families::sli_duration(registry)),
      algorithm_(families::algorithm_duration(registry).Add({}, attempt_buckets())),
      pod_attempts_(families::pod_attempts(registry).Add({}, pod_attempts_buckets())),
      preemptions_(families::preemption_attempts(registry).Add({})),
      victims_(families::preemption_victims(registry).Add({}, victims_buckets())),
      series_(core.assembly().profiles.size()) {
  if (core.configuration().rules.version() >= KubeVersion::k1_36)
    after_flush_ = &families::scheduled_after_flush(registry).Add({});
}

void AttemptMetrics::begins() {
  begun_ = clock_();
  in_algorithm_ = true;
}

void AttemptMetrics::chosen() { end_algorithm(); }

void AttemptMetrics::take(const runtime::Report& report) {
  using namespace runtime;
  std::visit(
      Match{
          [&](const Scheduled& to) { begun_of_[to.pod.handle()] = begun_; },
          [&](const Refused& by) { on_no_node(by.pod, Result::kUnschedulable, *by.decision); },
          [&](const Failed& by) { on_no_node(by.pod, Result::kError, *by.decision); },
          [&](const Bound& to) { on(to); },
          [&](const BindingFailed& failed) { on_binding_failed(failed); },
          [&](const BoundByAnother& to) { take_begun(to.pod); },
          [&](const Deleted& one) { take_begun(one.pod); },
          [](const auto&) {},
      },
      report);
}

void AttemptMetrics::on(const runtime::Bound& to) {
  end(to.pod, Result::kScheduled, take_begun(to.pod));
  pod_attempts_.Observe(to.attempts);
  if (after_flush_ != nullptr && to.timed_out) after_flush_->Increment();
  if (to.queued_at) sli(to.attempts).Observe(seconds(core_.now() - *to.queued_at));
}

void AttemptMetrics::on_no_node(model::PodId pod, Result result,
                                const framework::Decision& decision) {
  end_algorithm();
  if (decision.post_filter) {
    preemptions_.Increment();
    if (decision.nominating == framework::Nominating::kSet)
      count_victims(decision.post_filter->victims);
  }
  end(pod, result, begun_);
}

// From 1.36 on a preemption that has nobody left to evict does not count. Sources: kube-scheduler
// v1.34.1 preemption.go and v1.36.2 executor.go, prepareCandidateAsync.
void AttemptMetrics::count_victims(const std::vector<model::PodId>& victims) {
  const auto terminates = [&](model::PodId pod) { return core_.cluster().pod(pod).terminating; };
  if (victims.empty()) return;
  if (after_flush_ != nullptr && std::ranges::all_of(victims, terminates)) return;
  victims_.Observe(static_cast<double>(victims.size()));
}

void AttemptMetrics::on_binding_failed(const runtime::BindingFailed& failed) {
  end(failed.pod, failed.refused ? Result::kUnschedulable : Result::kError, take_begun(failed.pod));
}

// PostFilter belongs to the algorithm; Reserve and Permit, which may refuse the node, do not.
void AttemptMetrics::end_algorithm() {
  if (std::exchange(in_algorithm_, false)) algorithm_.Observe(seconds(clock_() - begun_));
}

// `begun`: nothing if the attempt's beginning was not watched.
void AttemptMetrics::end(model::PodId pod, Result result, std::optional<Time> begun) {
  const std::optional<queue::ProfileId> profile =
      core_.scheduler().policy().profile_of(core_.cluster().pod(pod));
  if (!profile) return;
  const size_t at = static_cast<size_t>(result);
  Series& of = series(*profile, result);
  of.attempts[at]->Increment();
  if (begun) of.durations[at]->Observe(seconds(clock_() - *begun));
}

std::optional<Time> AttemptMetrics::take_begun(model::PodId pod) {
  const auto known = begun_of_.find(pod.handle());
  if (known == begun_of_.end()) return std::nullopt;
  const Time begun = known->second;
  begun_of_.erase(known);
  return begun;
}

AttemptMetrics::Series& AttemptMetrics::series(queue::ProfileId profile, Result result) {
  BERTH_ASSERT(profile < series_.size());
  Series& of = series_[profile];
  const size_t at = static_cast<size_t>(result);
  if (of.attempts[at] == nullptr) {
    const prometheus::Labels labels = {
        {"result", kResultNames[at]},
        {"profile", core_.scheduler().policy().profile(profile).scheduler_name()}};
    of.attempts[at] = &attempts_.Add(labels);
    of.durations[at] = &durations_.Add(labels, attempt_buckets());
  }
  return of;
}

prometheus::Histogram& AttemptMetrics::sli(uint32_t attempts) {
  const uint32_t at = std::min(attempts, kMostAttempts);
  if (slis_[at] == nullptr) {
    const std::string label = std::to_string(at) + (at == kMostAttempts ? "+" : "");
    slis_[at] = &sli_durations_.Add({{"attempts", label}}, sli_buckets());
  }
  return *slis_[at];
}

}  // namespace berth::metrics
