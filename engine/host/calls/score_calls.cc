// Calls of PreScore and Score.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/checks/code_name.h"
#include "engine/host/calls/hook_invoke.h"

namespace berth::host {
namespace {

constexpr int64_t kBest = 100;

// The range of raw scores that a kind of normalising accepts.
struct RawRange {
  int64_t lowest;
  int64_t highest;
};

RawRange raw_range(uint32_t normalise) {
  switch (normalise) {
    case BERTH_NORMALISE_NONE:
      return {0, kBest};
    case BERTH_NORMALISE_MAX:
    case BERTH_NORMALISE_MAX_REVERSED:
      return {0, INT64_MAX / kBest};
    case BERTH_NORMALISE_SPREAD:
      // maximum + minimum - raw is at most twice the maximum.
      return {0, INT64_MAX / (2 * kBest)};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

// high - low without overflow. Requires low <= high.
uint64_t distance(int64_t high, int64_t low) {
  return static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
}
constexpr uint64_t kMostDistance = INT64_MAX / kBest;

}  // namespace

PreScore::PreScore(const Owner& owner, const berth_pre_score& table)
    : HookOf(owner, table), pre_score_(table.pre_score) {
  require(pre_score_ != nullptr, "pre_score");
}

CallError PreScore::call(CallContext& calls, berth_call& call, const berth_feasible* feasible,
                         PreScoreAnswer& answer) const {
  BERTH_ASSERT(feasible != nullptr || depends() != BERTH_DEPENDS_FEASIBLE);
  berth_pre_score_result result = {};
  result.size = sizeof result;
  CallError error =
      invoke(calls, call, [&] { return pre_score_(instance(), &call, feasible, &result); });
  if (error) return error;
  if (result.code == BERTH_ERROR) return reported(calls);
  if (result.code != BERTH_SUCCESS && result.code != BERTH_SKIP) {
    return broken(
        calls,
        "returned code " + code_word(result.code) + " as its result; PreScore may return " +
            code_list(code_bit(BERTH_SUCCESS) | code_bit(BERTH_ERROR) | code_bit(BERTH_SKIP)));
  }
  if (const auto problem = reserved_problem(result.reserved))
    return broken(calls, "returned " + *problem + ", from PreScore");
  log_code(calls, result.code);
  answer = {result.code == BERTH_SKIP, result.changed != 0};
  return {};
}

Score::Score(const Owner& owner, const berth_score& table)
    : HookOf(owner, table),
      normalise_(table.normalise),
      score_(table.score),
      own_(table.normalise_own),
      own_of_pod_(BERTH_HAS(&table, normalise_pod) ? table.normalise_pod : nullptr),
      numbers_(BERTH_HAS(&table, numbers) ? table.numbers : nullptr) {
  require(score_ != nullptr, "score");
  if (normalise_ > BERTH_NORMALISE_OWN) {
    throw Error("declares an unknown kind of normalising: " + std::to_string(normalise_));
  }
  require(own_ != nullptr || own_of_pod_ != nullptr || normalise_ != BERTH_NORMALISE_OWN,
          "normalise_pod");
}

CallError Score::call(CallContext& calls, berth_call& call, std::span<int64_t> raw) const {
  BERTH_ASSERT(raw.size() >= call.count);
  mark_unwritten(raw.first(call.count));
  CallError error = invoke_rows(calls, call, [&] { return score_(instance(), &call, raw.data()); });
  if (error) return error;
  return check(calls, call, raw);
}

CallError Score::take(CallContext& calls, Together& together, const Posted& posted,
                      std::span<int64_t> raw) const {
  BERTH_ASSERT(raw.size() >= posted.count);
  berth_call call;
  CallError error = take_posted(calls, together, posted, call, raw.data());
  if (error) return error;
  return check(calls, call, raw);
}

CallError Score::check(CallContext& calls, const berth_call& call, std::span<int64_t> raw) const {
  const size_t position = first_unwritten(raw.first(call.count));
  if (position == kNowhere) [[likely]]
    return {};
  return broken_at(calls, "wrote no score", position, call.count);
}

bool Score::extremes_fit(int64_t minimum, int64_t maximum) const {
  if (minimum > maximum) return true;
  if (normalise_ == BERTH_NORMALISE_MIN_MAX) return distance(maximum, minimum) <= kMostDistance;
  const RawRange range = raw_range(normalise_);
  return minimum >= range.lowest && maximum <= range.highest;
}

CallError Score::extremes_broken(CallContext& calls, std::span<const int64_t> raw, int64_t minimum,
                                 int64_t maximum) const {
  if (normalise_ == BERTH_NORMALISE_MIN_MAX) {
    return broken(calls, "returned scores from " + std::to_string(minimum) + " to " +
                             std::to_string(maximum) + "; scores that Score returns may be " +
                             std::to_string(kMostDistance) + " apart");
  }
  const RawRange range = raw_range(normalise_);
  const int64_t bad = minimum < range.lowest ? minimum : maximum;
  const auto found = std::find(raw.begin(), raw.end(), bad);
  const auto position = static_cast<size_t>(found - raw.begin());
  const std::string what = "returned score " + std::to_string(bad);
  const std::string rest =
      "; Score may return " + std::to_string(range.lowest) + " to " + std::to_string(range.highest);
  return found != raw.end() ? broken_at(calls, what, position, raw.size(), rest)
                            : broken(calls, what + rest);
}

CallError Score::normalise_own(CallContext& calls, const void* state, std::span<const int64_t> raw,
                               int64_t minimum, int64_t maximum, std::span<int64_t> final) const {
  BERTH_ASSERT(normalise_ == BERTH_NORMALISE_OWN && final.size() >= raw.size());
  mark_unwritten(final.first(raw.size()));
  berth_call call = {};
  call.count = raw.size();
  call.state = state;
  CallError error = invoke_rows(calls, call, [&] {
    return own_of_pod_ != nullptr
               ? own_of_pod_(instance(), &call, raw.data(), minimum, maximum, final.data())
               : own_(instance(), raw.size(), raw.data(), minimum, maximum, final.data());
  });
  if (error) return error;
  const size_t position = first_outside_final(final.first(raw.size()));
  if (position == kNowhere) [[likely]]
    return {};
  if (final[position] == kUnwrittenScore)
    return broken_at(calls, "wrote no normalised score", position, raw.size());
  return broken_at(calls,
                   "normalised score " + std::to_string(raw[position]) + " to " +
                       std::to_string(final[position]),
                   position, raw.size(), "; Score may return 0 to 100");
}

}  // namespace berth::host
