#pragma once

// The scores of those Score hooks of a ranking that are asked by class of rows (row_classes.h), and
// what they add to the totals of each class.
//
// Raw scores are kept by class. Normalising costs a look at each class, so it is done for each
// decision, with the extremes of the classes that have a feasible row among the searched ones.

#include <array>
#include <string>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/ranking/rows/row_classes.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class ClassScores {
 public:
  explicit ClassScores(const model::Cluster& cluster) : classes_(cluster) {}

  // True if the hook can be added.
  static bool suits(const HookAt<host::Score>& hook, const TemplateHook& state,
                    const model::Catalog& catalog) {
    // Without a PreScore that says when, what follows the feasible rows changes each time.
    const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE && hook.before == kNoHook;
    return hook.point->normalise() != BERTH_NORMALISE_OWN && !follows &&
           RowClasses::suits(hook.bound, state, catalog);
  }
  // Adds a score; returns its number, from 0. `index`: in the profile's list. Precondition:
  // follow() was not called.
  size_t add(size_t index, const ScoreCalls& calls);
  bool empty() const { return scores_.empty(); }

  void refresh() const { classes_.refresh(); }  // see RowClasses
  void move(const model::Renumbering& by, model::BlockBits& differ) { classes_.move(by, differ); }
  // Brings classes and raw scores up to date. `changes`: since the last call; null: all rows may
  // differ. The rows that are in another class now are appended to `moved`, unless all rows are
  // grouped anew (kBuilt). kTooMany: there are too many classes: the scores have to be asked by
  // row. kFailed: a score failed; `error` is the text.
  enum class Followed : uint8_t { kMoved, kBuilt, kTooMany, kFailed };
  [[nodiscard]] Followed follow(const DecisionContext& cycle, const RowChanges* changes,
                                model::Row rows, std::vector<MovedRow>& moved, RowPart& part,
                                std::string& error);

  // Works out the parts of totals. `present`: a bit for each class that has a feasible row among
  // the searched ones. False: a score cannot be normalised, or is out of range; ScoreSums says how.
  [[nodiscard]] bool finish(host::CallContext& calls, uint64_t present);
  // By class: the sum of weighted final scores. Valid until finish(), for classes that were
  // present.
  const int64_t* parts() const { return parts_.data(); }
  // Describes a score. Precondition: finish() succeeded.
  void describe(size_t number, HookScores& out) const;
  // The raw scores by row. Valid until the next call for the same score.
  const int64_t* by_row(size_t number);

  const RowClasses& classes() const { return classes_; }
  size_t bytes() const;

 private:
  using ByClass = std::array<int64_t, RowClasses::kMost>;
  struct Score {
    size_t index;
    ScoreCalls calls;
    size_t number;  // in classes_
    uint64_t shared = 0, stamp = 0;
    uint64_t version = 0;  // of the answer of PreScore that the scores follow
    ByClass raw{}, final{};
    Extremes of{};  // of present classes
    std::vector<int64_t> by_row{};

    uint32_t kind() const { return calls.hook().point->normalise(); }
    bool uniform() const { return of.minimum == of.maximum && !of.unscored; }
  };

  [[nodiscard]] bool ask(const DecisionContext& cycle, Score& score, RowPart& part);
  [[nodiscard]] bool finish(host::CallContext& calls, Score& score, uint64_t present);

  RowClasses classes_;
  std::vector<Score> scores_;
  ByClass parts_{};
};

}  // namespace berth::framework
