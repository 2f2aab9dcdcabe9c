#include "engine/framework/ranking/all_totals.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {

Scored* AllTotals::find(uint64_t answers) const {
  if (answers == 0) return nullptr;
  if (last_ != nullptr && last_->answers == answers) return last_;
  const auto at = by_answers_.find(answers);
  return at == by_answers_.end() ? nullptr : at->second;
}

Scored* AllTotals::find(const DecisionContext& cycle) {
  key_.clear();
  Totals::for_each_called(cycle,
                          [&](size_t, const TemplateHook& state) { key_.push_back(state.serial); });
  const auto at = scored_.find(key_);
  return at == scored_.end() ? nullptr : &at->second;
}

Scored* AllTotals::one_too_many() {
  if (scored_.size() < most_) return nullptr;
  if (dropped_.erase(HashOfNumbers()(key_)) != 0) {
    most_ *= 2;
    return nullptr;
  }
  const auto used = [](const auto& entry) { return entry.second.used; };
  return &std::ranges::min_element(scored_, {}, used)->second;
}

Scored& AllTotals::make(const DecisionContext& cycle, const model::Cluster& cluster) {
  const auto [at, fresh] = scored_.try_emplace(key_);
  BERTH_ASSERT(fresh);
  Scored& scored = at->second;
  scored.totals = std::make_unique<Totals>(cycle, cluster);
  scored.key = &at->first;
  return scored;
}

void AllTotals::use(Scored& scored, const DecisionContext& cycle, uint64_t decision) {
  const uint64_t answers = cycle.pre_score().number;
  if (scored.answers != answers) {
    by_answers_.erase(scored.answers);
    if (answers != 0) by_answers_[answers] = &scored;
    scored.answers = answers;
  }
  scored.used = decision;
  scored.forgotten = cycle.profile->forgotten();
  last_ = &scored;
}

void AllTotals::drop(Scored& scored) {
  constexpr size_t kMostDropped = 1 << 14;
  if (dropped_.size() == kMostDropped) dropped_.clear();
  dropped_.insert(HashOfNumbers()(*scored.key));
  by_answers_.erase(scored.answers);
  if (last_ == &scored) last_ = nullptr;
  scored_.erase(scored_.find(*scored.key));
}

std::vector<Scored*> AllTotals::unused_since(uint64_t decision) {
  std::vector<Scored*> unused;
  for (auto& [key, scored] : scored_)
    if (scored.used < decision) unused.push_back(&scored);
  return unused;
}

size_t AllTotals::bytes() const {
  size_t bytes = 0;
  for (const auto& [key, scored] : scored_) bytes += scored.bytes;
  return bytes;
}

}  // namespace berth::framework
