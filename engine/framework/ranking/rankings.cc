#include "engine/framework/ranking/rankings.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

constexpr uint64_t kUnusedFor = 8192, kUnusedEvery = 1024;  // decisions
// Uses of a ranking after which its memory is counted: each of the first ones, then one in so many.
constexpr uint64_t kCountFirst = 4, kCountEvery = 64;
// The first keys, of which nobody knows whether they come again, as long as their rankings take
// little memory. Of the later ones, so many are counted.
constexpr uint32_t kFirstKeys = 256, kMostFresh = 256;
constexpr size_t kLittle = 8;  // one part in so many of the limit
// Keys without a ranking are forgotten when there are so many.
constexpr size_t kMostKeys = 1 << 14;

bool is_counted(uint64_t uses) { return uses <= kCountFirst || uses % kCountEvery == 0; }

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
  BERTH_ASSERT(made_ <= rankings_.size());
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
  AllTotals& all = ranking.totals;
  Scored* scored = all.find(cycle.pre_score().number);
  if (scored == nullptr) scored = all.find(cycle);
  if (scored == nullptr) {
    if (Scored* const oldest = all.one_too_many()) drop(ranking, oldest);
    scored = &all.make(cycle, cluster_);
  }
  all.use(*scored, cycle, decision_);
  return *scored->totals;
}

void Rankings::used(Ranking& ranking) {
  BERTH_ASSERT(ranking.used == decision_);
  if (ranking.uses == 1 && ranking.at_once) ++again_;
  // Memory grows when something is made and, rarely, with the cluster.
  Scored* const last = ranking.totals.last();
  const bool grew = is_counted(++ranking.uses);
  if ((last != nullptr && is_counted(++last->uses)) || grew) weigh(ranking);
}

void Rankings::weigh(Ranking& ranking) {
  count(ranking.bytes, sizeof(Ranking) + ranking.verdicts.bytes());
  if (Scored* const last = ranking.totals.last()) count(last->bytes, last->totals->bytes());
  if (bytes_ > limit_) evict();
}

void Rankings::drop(Ranking& ranking, Scored* scored) {
  BERTH_ASSERT(scored->bytes <= bytes_);
  bytes_ -= scored->bytes;
  ranking.totals.drop(*scored);
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
  const size_t bytes = ranking.bytes + ranking.totals.bytes();
  BERTH_ASSERT(bytes <= bytes_);
  bytes_ -= bytes;
  --made_;
  const std::vector<uint64_t> key = ranking.key;
  const size_t erased = rankings_.erase(key);
  BERTH_ASSERT(erased == 1);
}

// Totals that are alone in their ranking go with it.
void Rankings::drop_unused() {
  std::vector<const Ranking*> unused;
  for (const auto& [key, entry] : rankings_) {
    if (entry.ranking == nullptr) continue;
    Ranking& ranking = *entry.ranking;
    if (ranking.used + kUnusedFor < decision_) {
      unused.push_back(&ranking);
      continue;
    }
    for (Scored* scored :
         ranking.totals.unused_since(decision_ - std::min(decision_, kUnusedFor))) {
      drop(ranking, scored);
      ++evicted_;
    }
  }
  if (!unused.empty()) recent_.assign(kRecent, {});
  for (const Ranking* one : unused) erase(*one);
  evicted_ += unused.size();
}

// Frees a quarter of the memory, so that the search for what is oldest is rare.
void Rankings::evict() {
  struct Old {
    uint64_t used;
    Ranking* ranking;
    Scored* totals;  // null: the ranking has none
  };
  std::vector<Old> all;
  for (const auto& [key, entry] : rankings_) {
    if (entry.ranking == nullptr) continue;
    Ranking& ranking = *entry.ranking;
    for (Scored* scored : ranking.totals.unused_since(decision_))
      all.push_back({scored->used, &ranking, scored});
    if (ranking.totals.empty() && ranking.used != decision_)
      all.push_back({ranking.used, &ranking, nullptr});
  }
  std::ranges::sort(all, {}, &Old::used);
  recent_.assign(kRecent, {});
  for (const Old& oldest : all) {
    if (bytes_ <= limit_ / 4 * 3) return;
    if (oldest.totals != nullptr) drop(*oldest.ranking, oldest.totals);
    if (oldest.ranking->totals.empty() && oldest.ranking->used != decision_) erase(*oldest.ranking);
    ++evicted_;
    ++for_memory_;
  }
}

}  // namespace berth::framework
