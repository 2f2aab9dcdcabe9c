#include "plugins/node_prefer_avoid_pods/node_prefer_avoid_pods.h"

#include <algorithm>

namespace berth::plugins {
namespace {

constexpr int64_t kMost = 100;

}  // namespace

void AvoidPreScore::pre_score(const Call& call, const berth_feasible*, sdk::PreScoreResult&) const {
  AvoidedByText now;
  for (const uint32_t annotation : call[annotations_]) {
    if (annotation == 0 || now.contains(annotation)) continue;
    const std::string_view text = strings_.text(annotation);
    const auto known = known_.find(annotation);
    if (known != known_.end() && known->second.text == text) {
      now.emplace(annotation, std::move(known->second));
    } else {
      now.emplace(annotation, Avoided{std::string(text), read_avoided(text)});
    }
  }
  known_ = std::move(now);
}

void AvoidScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared, Owner& state) {
  const std::string_view kind = strings_.text(pod.one(kind_));
  state.counts = kind == "ReplicationController" || kind == "ReplicaSet";
  state.controller = {std::string(kind), std::string(strings_.text(pod.one(uid_)))};
  prepared.keep(annotations_);
}

bool AvoidScore::avoids(uint32_t annotation, const Controller& controller) const {
  const auto lists_it = [&](const std::vector<Controller>& avoided) {
    return std::find(avoided.begin(), avoided.end(), controller) != avoided.end();
  };
  const auto found = known_.find(annotation);
  if (found != known_.end()) return lists_it(found->second.controllers);
  // Only reached if PreScore is disabled. Several threads may be here, so the result is not stored.
  return lists_it(read_avoided(strings_.text(annotation)));
}

void AvoidScore::score(const Call& call, std::span<int64_t> raw) const {
  const Owner& owner = call.state();
  std::fill(raw.begin(), raw.end(), kMost);
  if (!owner.counts) return;
  const auto annotations = call[annotations_];
  for (size_t i = 0; i < raw.size(); ++i)
    if (annotations[i] != 0 && avoids(annotations[i], owner.controller)) raw[i] = 0;
}

}  // namespace berth::plugins
