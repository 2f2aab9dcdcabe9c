#pragma once

// The three ways to filter and score, equal to the bit.
//
// Reference: row by row, hook by hook, with early exit, as kube-scheduler's serial loop does;
// simple for ever. Full: hooks over blocks of rows, in chunks from the start index on, stopping
// where the serial loop stops; large ones on several threads. Incremental: the same, but blocks of
// which no input changed keep their answers from one pod of a template to the next.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/framework/evaluation/search_result.h"
#include "engine/framework/hooks/profile.h"
#include "engine/host/calls/call_context.h"

namespace berth::framework {

enum class Evaluation : uint8_t { kReference, kFull, kIncremental };

// The pod that is being decided, as filters and scores need it.
struct DecisionContext {
  Profile* profile = nullptr;
  const model::PodRecord* pod = nullptr;
  int32_t priority = 0;
  std::vector<bool> pre_filter_ran;  // by PreFilter of the profile: it ran, and did not skip
  std::vector<bool> pre_filter_skipped;
  std::vector<bool> pre_score_ran;  // by PreScore
  std::vector<bool> pre_score_skipped;
  std::vector<uint64_t> pre_score_versions;  // another number: raw scores that follow it are stale

  bool calls(const HookAt<host::Filter>& hook) const {
    return hook.before == kNoHook || !pre_filter_skipped[hook.before];
  }
  bool calls(const HookAt<host::Score>& hook) const {
    return hook.before == kNoHook || !pre_score_skipped[hook.before];
  }
  template <typename Point>
  uint32_t ran(const HookAt<Point>& hook) const {
    uint32_t bits = 0;
    if (hook.pre_filter != kNoHook && pre_filter_ran[hook.pre_filter]) bits |= BERTH_RAN_PRE_FILTER;
    if constexpr (std::is_same_v<Point, host::Score>)
      if (hook.before != kNoHook && pre_score_ran[hook.before]) bits |= BERTH_RAN_PRE_SCORE;
    return bits;
  }
};

struct Search {
  // The rows to search, in this order; null: all, from `start` around.
  const std::vector<model::Row>* only = nullptr;
  model::Row start = 0;
  uint32_t wanted = 0;  // feasible rows; the search stops at the next one, which does not count
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Fills in everything of `window` but totals.
  virtual void filter(const DecisionContext& cycle, const Search& search, SearchResult& window) = 0;
  // Scores the feasible rows of the window: `scores`, one of each hook that scores the pod, in
  // order, and the weighted totals. An error's text, or empty.
  virtual std::string score(const DecisionContext& cycle, SearchResult& window,
                            std::vector<HookScores>& scores) = 0;
};

std::string filter_error(const std::string& plugin, const std::string& text);
std::string score_error(const std::string& plugin, const std::string& text);

}  // namespace berth::framework
