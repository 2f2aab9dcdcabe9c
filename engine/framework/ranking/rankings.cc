#include "engine/framework/ranking/rankings.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

// Totals of one set of verdicts.
constexpr size_t kMostScored = 8;
constexpr uint64_t kUnusedFor = 8192, kUnusedEvery = 1024;  // decisions
// Uses of a ranking after which its memory is counted: each of the first ones, then one in so many.
constexpr uint64_t kCountFirst = 4, kCountEvery = 64;
// The first keys, of which nobody knows whether they come again, as long as their rankings take
// little memory. Of the later ones, so many are counted.
constexpr uint32_t kFirstKeys = 256, kMostFresh = 256;
constexpr size_t kLittle = 8;  // one part in so many of the limit
// Keys without a ranking are forgotten when there are so many.
constexpr size_t kMostKeys = 1 << 14;

size_t bytes_of(const Ranking& ranking) {
  size_t bytes = sizeof(Ranking) + ranking.verdicts.bytes();
  for (const Ranking::Scored& scored : ranking.scored) bytes += scored.totals->bytes();
  return bytes;
}

}  // namespace

Ranking* Rankings::find(const DecisionContext& cycle, bool few) {
  if (++decision_ % kUnusedEvery == 0) drop_unused();
  const uint64_t answers = cycle.pre_filter().number;
  Recent& recent = recent_[answers % kRecent];
  if (answers == 0 || recent.answers != answers) {
    Ranking* found = find_by_key(cycle, few);
    if (found == nullptr || answers == 0) return found;
    recent = {answers, found};
  }
  recent.ranking->used = decision_;
  return recent.ranking;
}

Ranking* Rankings::find_ahead(const DecisionContext& cycle) {
  const uint64_t answers = cycle.pre_filter().number;
  BERTH_ASSERT(answers != 0);
  if (!expects_again()) return nullptr;
  Ranking* const ranking = find_by_key(cycle, false);
  recent_[answers % kRecent] = {answers, ranking};
  return ranking;
}

// A key that comes again saves a look at all rows. One that does not costs new memory, which takes
// about half as much time. A quarter is enough, since most keys that come again have not done so
// yet.
bool Rankings::expects_again() const {
  if (keys_ < kFirstKeys && bytes_ < limit_ / kLittle) return true;
  return again_ > fresh_ / 4;
}

Ranking* Rankings::find_by_key(const DecisionContext& cycle, bool few) {
  key_.clear();
  key_.push_back(reinterpret_cast<uintptr_t>(cycle.profile));
  Verdicts::for_each_called(
      cycle, [&](size_t, const TemplateHook& state) { key_.push_back(state.serial); });
  if (rankings_.size() - made_ > kMostKeys) forget_unranked();
  Entry& entry = rankings_[key_];
  if (entry.ranking == nullptr) {
    const bool at_once = !few && expects_again();
    if (++entry.asked == 1) {
      ++fresh_;
      ++keys_;
    }
    if (entry.asked == 2) ++again_;
    if (fresh_ == kMostFresh) {
      fresh_ /= 2;
      again_ /= 2;
    }
    if (entry.asked < from_ && !at_once) return nullptr;
    ++made_;
    entry.ranking.reset(new Ranking{key_, Verdicts(cycle, cluster_), {}});
    entry.ranking->at_once = entry.asked == 1;
  }
  entry.ranking->used = decision_;
  return entry.ranking.get();
}

Totals& Rankings::totals(Ranking& ranking, const DecisionContext& cycle) {
  const uint64_t answers = cycle.pre_score().number;
  const auto known = std::ranges::find(ranking.scored, answers, &Ranking::Scored::answers);
  const bool knows = answers != 0 && known != ranking.scored.end();
  Ranking::Scored& scored = knows ? *known : find_scored(ranking, cycle);
  scored.answers = answers;
  scored.used = decision_;
  scored.forgotten = cycle.profile->forgotten();
  return *scored.totals;
}

Ranking::Scored& Rankings::find_scored(Ranking& ranking, const DecisionContext& cycle) {
  key_.clear();
  Totals::for_each_called(cycle,
                          [&](size_t, const TemplateHook& state) { key_.push_back(state.serial); });
  auto& scored = ranking.scored;
  auto at = std::ranges::find(scored, key_, &Ranking::Scored::key);
  if (at == scored.end()) {
    if (scored.size() == kMostScored)
      scored.erase(std::ranges::min_element(scored, {}, &Ranking::Scored::used));
    scored.push_back({key_, std::make_unique<Totals>(cycle, cluster_)});
    at = scored.end() - 1;
  }
  return *at;
}

void Rankings::used(Ranking& ranking) {
  if (ranking.uses == 1 && ranking.at_once) ++again_;
  // Its memory grows when it is made and, rarely, with the cluster.
  if (++ranking.uses <= kCountFirst || ranking.uses % kCountEvery == 0) weigh(ranking);
}

void Rankings::weigh(Ranking& ranking) {
  const size_t bytes = bytes_of(ranking);
  bytes_ += bytes - ranking.bytes;
  ranking.bytes = bytes;
  if (bytes_ > limit_) evict();
}

void Rankings::forget_unranked() {
  boost::unordered::erase_if(rankings_,
                             [](const auto& entry) { return entry.second.ranking == nullptr; });
}

void Rankings::clear() {
  recent_.assign(kRecent, {});
  rankings_.clear();
  made_ = bytes_ = 0;
}

void Rankings::erase(const Ranking& ranking) {
  bytes_ -= ranking.bytes;
  --made_;
  const std::vector<uint64_t> key = ranking.key;
  rankings_.erase(key);
}

void Rankings::drop_unused() {
  std::vector<const Ranking*> unused;
  for (const auto& [key, entry] : rankings_)
    if (entry.ranking != nullptr && entry.ranking->used + kUnusedFor < decision_)
      unused.push_back(entry.ranking.get());
  if (!unused.empty()) recent_.assign(kRecent, {});
  for (const Ranking* one : unused) erase(*one);
  evicted_ += unused.size();
}

// Frees a quarter of the memory, so that the search for what is oldest is rare.
void Rankings::evict() {
  std::vector<const Ranking*> all;
  for (const auto& [key, entry] : rankings_)
    if (entry.ranking != nullptr && entry.ranking->used != decision_)
      all.push_back(entry.ranking.get());
  std::ranges::sort(all, {}, &Ranking::used);
  recent_.assign(kRecent, {});
  for (const Ranking* oldest : all) {
    if (bytes_ <= limit_ / 4 * 3) return;
    erase(*oldest);
    ++evicted_;
  }
}

}  // namespace berth::framework
