#pragma once

// All totals of one set of verdicts, by the states of the scores.
//
// Pods that the same filters see alike may be scored in many ways: a thousand Deployments, each of
// which prefers nodes without pods of its own. So there may be many totals; but where a score sees
// each pod in its own way, none comes again. Few are kept until totals that were dropped are asked
// for again, then twice as many each time.

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/base/hash_of_numbers.h"
#include "engine/framework/ranking/totals/totals.h"

namespace berth::framework {

struct Scored {
  std::unique_ptr<Totals> totals;
  const std::vector<uint64_t>* key = nullptr;  // serial numbers of the states
  uint64_t used = 0;                           // the decision that used it last
  uint64_t uses = 0;
  uint64_t answers = 0;    // PreScoreAnswers::number that it was last found for
  uint64_t forgotten = 0;  // Profile::forgotten() at its last use
  size_t bytes = 0;        // as counted last
};

// Belongs to the thread that owns the model. Pointers are valid until what they point to is
// dropped.
class AllTotals {
 public:
  // Those that were found last for PreScoreAnswers::number; null: none.
  Scored* find(uint64_t answers) const;
  // Those of the states of the context's scores; null: none.
  Scored* find(const DecisionContext& cycle);
  // Those that have to be dropped before others are made for what find() did not find: they were
  // not used for longest. Null: there is room.
  Scored* one_too_many();
  // Makes what the last find() did not find.
  Scored& make(const DecisionContext& cycle, const model::Cluster& cluster);
  // Notes that the decision, whose number that is, uses them.
  void use(Scored& scored, const DecisionContext& cycle, uint64_t decision);
  void drop(Scored& scored);

  // Those that were used last; null: none, or they were dropped.
  Scored* last() const { return last_; }
  // The same; null: a template state may be gone that they refer to. `profile`: the ranking's.
  Totals* last_live(const Profile& profile) const {
    const bool live = last_ != nullptr && last_->forgotten == profile.forgotten();
    return live ? last_->totals.get() : nullptr;
  }
  // Those that no decision from this one on used.
  std::vector<Scored*> unused_since(uint64_t decision);
  bool empty() const { return scored_.empty(); }
  size_t bytes() const;  // as counted last

 private:
  static constexpr size_t kFewest = 8;

  std::unordered_map<std::vector<uint64_t>, Scored, HashOfNumbers> scored_;
  boost::unordered_flat_map<uint64_t, Scored*> by_answers_;
  Scored* last_ = nullptr;
  size_t most_ = kFewest;
  boost::unordered_flat_set<uint64_t> dropped_;  // hashes of keys
  std::vector<uint64_t> key_;                    // of the last find()
};

}  // namespace berth::framework
