#include "cli/fit/copies.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace berth::cli {

const char* why_name(CopiesEnd::Why why) {
  constexpr const char* kNames[] = {"nothing", "count",   "unschedulable", "failed",
                                    "gated",   "ignored", "refused"};
  return kNames[static_cast<size_t>(why)];
}

void Copies::end(CopiesEnd::Why why, size_t unit, std::string message) {
  if (!end_.is_limit())
    end_ = {.why = why, .unit = unit, .message = std::move(message), .reasons = {}};
}

// Looks from the end: what is told is about one of the last copies.
size_t Copies::unit_of(model::PodId pod) const {
  const auto at = std::find(pods_.rbegin(), pods_.rend(), pod);
  const auto index = static_cast<uint32_t>(std::distance(at, pods_.rend()) - 1);
  const auto copy =
      std::find_if(all_.rbegin(), all_.rend(), [&](const Copy& one) { return one.first <= index; });
  return copy == all_.rend() ? 0 : copy->unit;
}

void Copies::stop(CopiesEnd::Why why, model::PodId pod, std::string message,
                  std::map<std::string, uint64_t> reasons) {
  if (stopped()) return;
  refusal_ = {why, unit_of(pod), std::move(message), std::move(reasons)};
  if (waits_) return;
  end_ = refusal_;
  stopped_ = true;
}

void Copies::give_up() {
  if (stopped()) return;
  stopped_ = true;
  end_ = refusal_;
  if (end_.is_limit()) return;
  end_ = {CopiesEnd::Why::kFailed, all_.back().unit, "its pods get no node in a long time", {}};
}

void Copies::take(const runtime::Report& report) {
  using Why = CopiesEnd::Why;
  std::visit(
      runtime::Match{
          [&](const runtime::Arrived& of) {
            pods_.insert(pods_.end(), of.pods.begin(), of.pods.end());
          },
          [&](const runtime::Refused& of) {
            stop(Why::kUnschedulable, of.pod, of.decision->event(), of.decision->reasons);
          },
          [&](const runtime::Failed& of) { stop(Why::kFailed, of.pod, of.decision->event()); },
          [&](const runtime::BindingFailed& of) {
            stop(of.refused ? Why::kUnschedulable : Why::kFailed, of.pod, std::string(of.message));
          },
          [&](const runtime::Gated& of) { stop(Why::kGated, of.pod, of.message); },
          [&](const runtime::Ignored& of) { stop(Why::kIgnored, of.pod, of.message); },
          [&](const runtime::TurnedAway& of) {
            if (of.why == runtime::TurnedAway::Why::kRejected)
              end(Why::kRefused, all_.back().unit, std::string(of.message));
          },
          [&](const runtime::Evicted&) { ++evicted_, ++changes_; },
          [&](const runtime::Bound&) { ++changes_; }, [](const auto&) {}},
      report);
}

bool Copies::is_on_node(size_t pod, const model::Cluster& cluster) const {
  return pod < pods_.size() && cluster.pods().contains(pods_[pod]) &&
         cluster.pod(pods_[pod]).placed();
}

bool Copies::is_whole(const Copy& copy, const model::Cluster& cluster) const {
  for (size_t i = copy.first; i < size_t{copy.first} + copy.pods; ++i)
    if (!is_on_node(i, cluster)) return false;
  return true;
}

bool Copies::is_begun(const Copy& copy, const model::Cluster& cluster) const {
  for (size_t i = copy.first; i < size_t{copy.first} + copy.pods; ++i)
    if (is_on_node(i, cluster)) return true;
  return false;
}

}  // namespace berth::cli
