#include "plugins/default_preemption/kept_runs.h"

#include <algorithm>
#include <utility>

namespace berth::plugins {
namespace {

// Runs of all kinds together; one takes about 250 bytes with its victims.
constexpr size_t kMostRuns = size_t{1} << 18;
constexpr size_t kMostKinds = 32;
// Reasons of one kind. More have texts of single rows, most of which are over.
constexpr size_t kMostLists = 4096;

}  // namespace

uint32_t ReasonLists::number_of(std::vector<std::string> reasons) {
  const auto [at, fresh] =
      numbers_.try_emplace(std::move(reasons), static_cast<uint32_t>(lists_.size()));
  if (fresh) lists_.push_back(&at->first);
  return at->second;
}

void ReasonLists::clear() {
  lists_.clear();
  numbers_.clear();
}

void KeptRuns::Kind::clear() {
  std::fill(stamps.begin(), stamps.end(), 0);
  reasons.clear();
}

void KeptRuns::begin(const berth_what_if_kept& kept, uint64_t budgets, size_t rows) {
  ++call_;
  stamps_ = kept.kind != 0 ? kept.by_row : nullptr;
  Kind& kind = find(kept.kind, rows);
  if (kind.budgets != budgets || kind.reasons.size() > kMostLists) kind.clear();
  kind.budgets = budgets;
  kind.used = call_;
  kind.stamps.resize(rows);
  kind.runs.resize(rows);
  now_ = &kind;
}

KeptRuns::Kind& KeptRuns::find(uint64_t number, size_t rows) {
  for (Kind& kind : kinds_)
    if (kind.number == number) return kind;
  const size_t most = std::clamp<size_t>(kMostRuns / std::max<size_t>(rows, 1), 1, kMostKinds);
  const auto oldest = [&] {
    return std::min_element(kinds_.begin(), kinds_.end(),
                            [](const Kind& a, const Kind& b) { return a.used < b.used; });
  };
  for (; kinds_.size() > most; kinds_.pop_back()) std::swap(*oldest(), kinds_.back());
  // The memory of the kind that was not used for the longest time is used again.
  Kind& kind = kinds_.size() < most ? kinds_.emplace_back() : *oldest();
  kind.clear();
  kind.number = number;
  return kind;
}

}  // namespace berth::plugins
