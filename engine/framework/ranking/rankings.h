#pragma once

// Finds the ranking of a decision: its verdicts by the states of the filters that are called, and
// among those of these verdicts its totals by the states of the scores (all_totals.h).
//
// A ranking is made when it is asked for the second time, unless the options say otherwise: one
// that is used once costs memory, and a look at all rows where a search that ends early looks at
// few. A search of all rows makes it at once for the first kinds of pods, and as long as kinds
// come again. Those that were not used for the longest time go when all together take more than a
// given amount of memory; and those that thousands of decisions did not use, since their kinds of
// pods hardly come again.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/hash_of_numbers.h"
#include "engine/framework/ranking/all_totals.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {

struct Ranking {
  std::vector<uint64_t> key;  // serial numbers of the states
  Verdicts verdicts;
  AllTotals totals{};
  uint64_t used = 0;  // the decision that used it last
  uint64_t uses = 0;
  bool at_once = false;  // made when its key was asked for the first time
  size_t bytes = 0;      // of the verdicts, as counted last
};

// Belongs to the thread that owns the model.
class Rankings {
 public:
  Rankings(const model::Cluster& cluster, const FullOptions& options)
      : cluster_(cluster),
        limit_(options.ranking_bytes),
        from_(options.ranking_from),
        recent_(kRecent) {}

  // The ranking of the context's profile and filters; null if there is none yet. Valid until the
  // next call. `few`: the search looks at few of the rows. Precondition: the filters are resolved.
  Ranking* find(const DecisionContext& cycle, bool few);
  // The same for a pod that waits, made if need be. Null: rankings are not made at their first use.
  // Counts in no Ranking::uses. Precondition: PreFilterAnswers::number is not 0.
  Ranking* find_ahead(const DecisionContext& cycle);
  // True if a ranking is made at its first use by a search of all rows.
  bool expects_again() const;
  // The ranking that was found last for PreFilterAnswers::number; null: none is known. Not a use.
  Ranking* known(uint64_t answers) const {
    const Recent& recent = recent_[answers % kRecent];
    return answers != 0 && recent.answers == answers ? recent.ranking : nullptr;
  }
  // The totals of the context's scores. Valid until the next find().
  Totals& totals(Ranking& ranking, const DecisionContext& cycle);
  // To be called when the ranking was used, in the decision that found it.
  void used(Ranking& ranking);
  // Counts its memory, and frees that of others if all together take too much.
  void weigh(Ranking& ranking);

  void clear();

  const model::Cluster& cluster() const { return cluster_; }
  size_t count() const { return made_; }
  size_t bytes() const { return bytes_; }
  size_t limit() const { return limit_; }  // of bytes()
  // Rankings that went so far: for want of memory, or since they were not used for long.
  uint64_t evicted() const { return evicted_; }
  uint64_t for_memory() const { return for_memory_; }  // of these, for want of memory

 private:
  Ranking* find_by_key(const DecisionContext& cycle, bool few);
  void forget_unranked();
  void evict();
  void drop_unused();
  void erase(const Ranking& ranking);
  void drop(Ranking& ranking, Scored* scored);
  void count(size_t& bytes, size_t now) {
    bytes_ += now - bytes;
    bytes = now;
  }

  const model::Cluster& cluster_;
  const size_t limit_;
  const uint32_t from_;
  size_t bytes_ = 0;
  size_t made_ = 0;
  uint64_t evicted_ = 0, for_memory_ = 0;
  uint64_t decision_ = 0;
  uint64_t keys_ = 0;               // so far
  uint32_t fresh_ = 0, again_ = 0;  // of the latest keys: all, and those that were asked for again
  std::vector<uint64_t> key_;
  struct Entry {
    uint32_t asked = 0;                // how often
    std::unique_ptr<Ranking> ranking;  // null: not often enough
  };
  boost::unordered_flat_map<std::vector<uint64_t>, Entry, HashOfNumbers> rankings_;
  // Rankings by PreFilterAnswers::number, which spares making the key; a newer one takes the place.
  struct Recent {
    uint64_t answers = 0;
    Ranking* ranking = nullptr;
  };
  static constexpr size_t kRecent = 1024;
  std::vector<Recent> recent_;
};

}  // namespace berth::framework
