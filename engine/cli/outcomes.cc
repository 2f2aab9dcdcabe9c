#include "engine/cli/outcomes.h"

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

void Outcomes::take(const runtime::Report& report) {
  using namespace runtime;
  std::visit(
      Match{
          [&](const Scheduled& to) {
            ++scheduled_;
            come(to.pod);
          },
          [&](const Refused& by) { leave(by.pod, Kind::kUnschedulable, by.decision->event()); },
          [&](const Failed& by) { leave(by.pod, Kind::kFailed, by.decision->message); },
          [&](const BindingFailed& by) {
            --scheduled_;
            leave(by.pod, by.refused ? Kind::kUnschedulable : Kind::kFailed, by.message);
          },
          [&](const Gated& by) { leave(by.pod, Kind::kGated, by.message); },
          [&](const Skipped& one) { leave(one.pod, Kind::kTerminating, {}); },
          [&](const Nominated& to) { nominations_ += to.node.empty() ? 0 : 1; },
          [&](const Evicted&) {
            ++evicted_;
            ++changes_;
          },
          [&](const Bound& to) {
            come(to.pod);
            ++changes_;
          },
          [&](const Ignored&) { ++ignored_; },
          [&](const Deleted& one) { deleted_ += left_.erase(one.pod.handle()); },
          [](const auto&) {},
      },
      report);
}

void Outcomes::add_to(output::Summary& s) const {
  s.pods_scheduled += scheduled_;
  s.pods_ignored += ignored_;
  s.pods_evicted += evicted_;
  s.pods_deleted += deleted_;
  s.nominations += nominations_;
  for (const auto& [handle, left] : left_) {
    if (left.kind == Kind::kTerminating) {
      ++s.pods_deleted;
    } else if (left.kind == Kind::kGated) {
      ++s.pods_gated;
    } else if (left.kind == Kind::kFailed) {
      ++s.pods_failed;
      ++s.failures[texts_[left.text]];
    } else {
      ++s.pods_unschedulable;
      ++s.messages[texts_[left.text]];
    }
  }
}

}  // namespace berth::cli
