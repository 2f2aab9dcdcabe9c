#include "cli/run/outcomes.h"

#include "engine/controllers/kubelet/eviction/eviction_manager.h"

namespace berth::cli {
namespace {

// Hostile input may have as many different texts as pods.
constexpr size_t kMostTexts = 1000;
constexpr std::string_view kOther = "(other texts)";

}  // namespace

void Outcomes::leave(model::PodId pod, Kind kind, std::string_view text) {
  auto known = text_ids_.find(text);
  if (known == text_ids_.end() && texts_.size() >= kMostTexts) known = text_ids_.find(kOther);
  if (known == text_ids_.end()) {
    if (texts_.size() >= kMostTexts) text = kOther;
    known = text_ids_.emplace(std::string(text), static_cast<uint32_t>(texts_.size())).first;
    texts_.emplace_back(text);
  }
  left_[pod.handle()] = {kind, known->second};
}

void Outcomes::come(model::PodId pod) {
  if (!left_.empty()) left_.erase(pod.handle());
}

void Outcomes::on(const runtime::Bound& to, Time now) {
  come(to.pod);
  attempts_.record(to.attempts);
  if (to.queued_at)
    waits_.record(static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(now - *to.queued_at).count()));
}

void Outcomes::on(const runtime::BoundByAnother& to) {
  come(to.pod);
  ++bound_by_another_;
}

// Evictions are reported before the nomination that they are for.
void Outcomes::on(const runtime::Nominated& to) {
  if (to.node.empty()) return;
  ++nominations_;
  if (evicted_now_ != 0) victims_.record(evicted_now_);
  evicted_now_ = 0;
}

void Outcomes::take(const runtime::Report& report, Time now) {
  using namespace runtime;
  std::visit(Match{
                 [&](const Scheduled& to) {
                   ++scheduled_;
                   come(to.pod);
                 },
                 [&](const Refused& by) {
                   evicted_now_ = 0;
                   leave(by.pod, Kind::kUnschedulable, by.decision->event());
                 },
                 [&](const Failed& by) { leave(by.pod, Kind::kFailed, by.decision->message); },
                 [&](const BindingFailed& by) {
                   --scheduled_;
                   leave(by.pod, by.refused ? Kind::kUnschedulable : Kind::kFailed, by.message);
                 },
                 [&](const Gated& by) {
                   leave(by.pod, by.failed ? Kind::kGateFailed : Kind::kGated, by.message);
                 },
                 [&](const Skipped& one) { leave(one.pod, Kind::kTerminating, {}); },
                 [&](const Nominated& to) { on(to); },
                 [&](const Evicted&) {
                   ++evicted_;
                   ++evicted_now_;
                 },
                 [&](const Disrupted& one) { disrupted_ += !one.terminates_already; },
                 [&](const Recorded& one) {
                   oom_kills_ += one.event->reason == controllers::kubelet::kOomKilled;
                 },
                 [&](const Finished& with) { ++(with.exit_code == 0 ? succeeded_ : exited_); },
                 [&](const Bound& to) { on(to, now); },
                 [&](const BoundByAnother& to) { on(to); },
                 [&](const Ignored&) { ++ignored_; },
                 [&](const Deleted& one) { deleted_ += left_.erase(one.pod.handle()); },
                 [](const auto&) {},
             },
             report);
}

uint64_t Outcomes::waiting() const {
  uint64_t count = 0;
  for (const auto& [handle, left] : left_) count += left.kind != Kind::kTerminating;
  return count;
}

void Outcomes::add_to(output::Summary& s, const model::Cluster& cluster) const {
  s.pods_scheduled += scheduled_;
  s.pods_ignored += ignored_;
  s.pods_evicted += evicted_;
  s.pods_disrupted += disrupted_;
  s.oom_kills += oom_kills_;
  s.pods_succeeded += succeeded_;
  s.pods_exited_with_error += exited_;
  s.pods_deleted += deleted_;
  s.pods_bound_by_another += bound_by_another_;
  s.nominations += nominations_;
  Histogram attempts = attempts_;
  for (const auto& [handle, left] : left_) {
    const model::PodRecord& pod = cluster.pod(model::PodId::from_handle(handle));
    if (pod.attempts != 0) attempts.record(pod.attempts);
    if (left.kind == Kind::kTerminating) {
      ++s.pods_deleted;
    } else if (left.kind == Kind::kGated) {
      ++s.pods_gated;
    } else if (left.kind == Kind::kGateFailed) {
      ++s.pods_gated;
      ++s.failures[texts_[left.text]];
    } else if (left.kind == Kind::kFailed) {
      ++s.pods_failed;
      ++s.failures[texts_[left.text]];
    } else {
      ++s.pods_unschedulable;
      ++s.messages[texts_[left.text]];
    }
  }
  const auto number = [](double value) { return value; };
  s.attempts_per_pod = output::distribution(attempts, number);
  s.queue_to_bound_seconds =
      output::distribution(waits_, [](double microseconds) { return microseconds / 1e6; });
  s.victims_per_preemption = output::distribution(victims_, number);
}

}  // namespace berth::cli
