#pragma once

// The common parts of decisions about pods of one kind: the states of all hooks, and the answers of
// PreFilter and PreScore as long as their inputs stay as they are.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/framework/hooks/bound_hook.h"

namespace berth::framework {

// The answers of a profile's PreFilter hooks about a pod, by index in its list, and the states of
// the filters that are called. A hook that neither ran nor skipped has failed or was not called.
struct PreFilterAnswers {
  std::vector<bool> ran;
  std::vector<bool> skipped;
  std::vector<TemplateHook*> filter_states;  // null: the filter is not called for this pod
  // Equal numbers have equal answers; 0: they are not kept.
  uint64_t number = 0;

  bool equals(const PreFilterAnswers& other) const {
    return ran == other.ran && skipped == other.skipped && filter_states == other.filter_states;
  }
};

// The same for PreScore and scores.
struct PreScoreAnswers {
  std::vector<bool> ran;
  std::vector<bool> skipped;
  std::vector<uint64_t> versions;  // raw scores that follow another number are stale
  std::vector<TemplateHook*> score_states;
  uint64_t number = 0;

  bool equals(const PreScoreAnswers& other) const {
    return ran == other.ran && skipped == other.skipped && versions == other.versions &&
           score_states == other.score_states;
  }
};

// Answers that hold until one of the inputs changes. Belongs to the thread that owns the model.
template <typename Answers>
class KeptAnswers {
 public:
  // True if no input changed since keep(). Brings inputs up to date that lag.
  bool hold() const { return stamp_ != 0 && stamp_ == stamp(); }
  const Answers& answers() const { return answers_; }

  // True if answers about pods of the kind can be kept, which is found out once.
  enum class Keeps : uint8_t { kUnknown, kNever, kAlways };
  Keeps keeps = Keeps::kUnknown;
  // Adds the inputs of a hook whose answer is kept.
  void add(const BoundHook& hook, const TemplateHook& state) {
    for (const TemplateHook::Source& source : state.sources)
      if (source.column != nullptr) columns_.push_back(source.column);
    for (const model::ColumnId column : state.lagging) lagging_.emplace_back(&hook, column);
  }
  // Precondition: each hook that takes part was added.
  void keep(const Answers& answers) {
    if (answers_.number == 0 || !answers_.equals(answers)) {
      answers_ = answers;
      answers_.number = next_number();
    }
    stamp_ = stamp();
  }

 private:
  // Generations only grow, so the sum differs whenever one of them does.
  uint64_t stamp() const {
    for (const auto& [hook, column] : lagging_) hook->refresh(column);
    uint64_t sum = 1;
    for (const model::Column* column : columns_) sum += column->generation();
    return sum;
  }
  static uint64_t next_number();  // of the process, from 1

  uint64_t stamp_ = 0;  // 0: there are no answers
  std::vector<const model::Column*> columns_;
  std::vector<std::pair<const BoundHook*, model::ColumnId>> lagging_;
  Answers answers_;
};

struct PodKind {
  std::unique_ptr<TemplateHook*[]> states;  // by BoundHook::index; null: not asked for yet
  KeptAnswers<PreFilterAnswers> pre_filter;
  KeptAnswers<PreScoreAnswers> pre_score;
};

}  // namespace berth::framework
