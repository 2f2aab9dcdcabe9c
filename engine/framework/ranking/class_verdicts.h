#pragma once

// The verdicts of those filters of a ranking that are asked by class of rows (row_classes.h).

#include <array>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/ranking/rows/row_classes.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class ClassVerdicts {
 public:
  explicit ClassVerdicts(const model::Cluster& cluster) : classes_(cluster) {}

  // Adds a filter. `index`: in the profile's list, above those that were added before.
  // Precondition: RowClasses::suits(), and follow() was not called.
  void add(size_t index, const FilterCalls& calls);
  bool empty() const { return filters_.empty(); }

  void refresh() const { classes_.refresh(); }  // see RowClasses
  void move(const model::Renumbering& by, model::BlockBits& differ) { classes_.move(by, differ); }
  // Brings classes and verdicts up to date. `changes`: since the last call; null: all rows may
  // differ. The rows that are in another class now are appended to `moved`.
  //   kMoved    the verdict of a row changed only if the row is in `moved`, or its class in
  //             changed()
  //   kBuilt    any may have changed
  //   kTooMany  there are too many classes: the filters have to be asked by row
  //   kFailed   a filter failed
  enum class Followed : uint8_t { kMoved, kBuilt, kTooMany, kFailed };
  [[nodiscard]] Followed follow(const DecisionContext& cycle, const RowChanges* changes,
                                model::Row rows, std::vector<MovedRow>& moved, RowPart& part);

  // The first filter that refuses the rows of a class, kFeasible if none does, and the verdict.
  struct Verdict {
    Refuser refuser = kFeasible;
    uint8_t code = 0;
    bool operator==(const Verdict&) const = default;
  };
  const Verdict& of(RowClass one) const { return verdicts_[one]; }
  const Verdict& at(model::Row row) const { return verdicts_[classes_.of_rows()[row]]; }
  // All as bits: classes whose verdict changed in the last follow(), and that are refused.
  uint64_t changed() const { return changed_; }
  uint64_t refused() const { return refused_; }
  // True if a filter answered ERROR for a class that has rows.
  bool any_error() const;
  const RowClasses& classes() const { return classes_; }
  size_t bytes() const { return classes_.bytes() + filters_.capacity() * sizeof(Filter); }

 private:
  struct Filter {
    size_t index;
    FilterCalls calls;
    size_t number;  // in classes_
    uint64_t shared = 0, stamp = 0;
    std::array<uint8_t, RowClasses::kMost> verdicts{};  // by class
  };

  [[nodiscard]] bool ask(const DecisionContext& cycle, Filter& filter, RowPart& part);
  void combine();

  RowClasses classes_;
  std::vector<Filter> filters_;
  std::array<Verdict, RowClasses::kMost> verdicts_{};  // by class
  uint32_t known_ = 0;                                 // classes that verdicts_ had
  bool asked_ = false;                                 // some verdict is new
  uint64_t changed_ = 0, refused_ = 0, errors_ = 0;    // by class, as bits
};

}  // namespace berth::framework
