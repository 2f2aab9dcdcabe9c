// Calls of PreFilter, Filter and PostFilter.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/checks/code_name.h"
#include "engine/host/calls/hook_invoke.h"

namespace berth::host {
namespace {

constexpr CodeSet kRefusals =
    code_bit(BERTH_UNSCHEDULABLE) | code_bit(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
constexpr CodeSet kPreFilterCodes =
    kRefusals | code_bit(BERTH_SUCCESS) | code_bit(BERTH_SKIP) | code_bit(BERTH_PENDING);
constexpr CodeSet kVerdicts = kRefusals | code_bit(BERTH_SUCCESS) | code_bit(BERTH_ERROR);
constexpr CodeSet kPostFilterCodes = kRefusals | code_bit(BERTH_SUCCESS);

// The bit check is exact, because the allowed verdicts are all numbers of two bits.
static_assert(kVerdicts == 0b1111);
constexpr uint8_t kNoVerdict = 0xFC;

constexpr uint64_t kMostVictims = 1u << 24;

bool in_set(berth_code code, CodeSet set) {
  return code >= 0 && code < 32 && (set >> code & 1) != 0;
}

std::string code_refused(std::string_view who, berth_code code, CodeSet allowed) {
  return "returned code " + code_word(code) + " as its result; " + std::string(who) +
         " may return " + code_list(allowed);
}

}  // namespace

PreFilter::PreFilter(const Owner& owner, const berth_pre_filter& table)
    : HookOf(owner, table), pre_filter_(table.pre_filter) {
  require(pre_filter_ != nullptr, "pre_filter");
}

CallError PreFilter::call(CallContext& calls, berth_call& call, PreFilterAnswer& answer) const {
  berth_pre_filter_result result = {};
  result.size = sizeof result;
  CallError error = invoke(calls, call, [&] { return pre_filter_(instance(), &call, &result); });
  if (error) return error;
  if (result.code == BERTH_ERROR) return reported(calls);
  if (!in_set(result.code, kPreFilterCodes)) {
    return broken(calls,
                  code_refused(point_name(kPoint), result.code, kPreFilterCodes | code_bit(1)));
  }
  if (result.narrows > 1)
    return broken(calls, "returned narrows = " + std::to_string(result.narrows) +
                             " from PreFilter, expected 0 or 1");
  log_code(calls, result.code);
  answer = {result.code, result.reason, false, {}};
  if (result.code != BERTH_SUCCESS || result.narrows == 0) return {};
  answer.narrows = true;
  if (!prepares() && result.node_name_count != 0)
    return broken(calls,
                  "returned node names from PreFilter, which belong to the state of a prepare, and "
                  "has no prepare");
  return take_names(calls, result, answer);
}

CallError PreFilter::take_names(CallContext& calls, const berth_pre_filter_result& result,
                                PreFilterAnswer& answer) const {
  const uint64_t count = result.node_name_count;
  const uint32_t strings = environment().model.string_count();
  if (count > strings || (result.node_names == nullptr && count != 0)) {
    return broken(calls, "returned " + std::to_string(count) +
                             " node names from PreFilter: too many, or without an array");
  }
  answer.node_names = {result.node_names, static_cast<size_t>(count)};
  const auto bad = std::find_if(answer.node_names.begin(), answer.node_names.end(),
                                [strings](uint32_t id) { return id == 0 || id >= strings; });
  if (bad == answer.node_names.end()) return {};
  const auto position = static_cast<size_t>(bad - answer.node_names.begin());
  return broken(calls, "returned " + std::to_string(*bad) + " as a node's name" +
                           at_position(position, answer.node_names.size()) +
                           " from PreFilter, which is not a string id");
}

Filter::Filter(const Owner& owner, const berth_filter& table)
    : HookOf(owner, table),
      filter_(table.filter),
      reasons_(table.reasons),
      numbers_(BERTH_HAS(&table, numbers) ? table.numbers : nullptr) {
  require(filter_ != nullptr, "filter");
}

CallError Filter::call(CallContext& calls, berth_call& call, std::span<uint8_t> verdicts) const {
  BERTH_ASSERT(verdicts.size() >= call.count);
  std::fill_n(verdicts.begin(), call.count, kUnwrittenCode);
  CallError error =
      invoke_rows(calls, call, [&] { return filter_(instance(), &call, verdicts.data()); });
  if (error) return error;
  return check(calls, call, verdicts);
}

CallError Filter::take(CallContext& calls, Together& together, const Posted& posted,
                       std::span<uint8_t> verdicts) const {
  BERTH_ASSERT(verdicts.size() >= posted.count);
  berth_call call;
  CallError error = take_posted(calls, together, posted, call, verdicts.data());
  if (error) return error;
  return check(calls, call, verdicts);
}

CallError Filter::check(CallContext& calls, const berth_call& call,
                        std::span<uint8_t> verdicts) const {
  if (!any_bits(verdicts.first(call.count), kNoVerdict)) [[likely]]
    return {};
  return check_codes(calls, call, "verdict", verdicts, kVerdicts);
}

CallError Filter::reasons(CallContext& calls, berth_call& call, std::span<uint32_t> reasons) const {
  BERTH_ASSERT(reasons.size() >= call.count);
  std::fill_n(reasons.begin(), call.count, 0u);
  if (reasons_ == nullptr) return {};
  return invoke_rows(calls, call, [&] { return reasons_(instance(), &call, reasons.data()); });
}

PostFilter::PostFilter(const Owner& owner, const berth_post_filter& table)
    : HookOf(owner, table), post_filter_(table.post_filter) {
  require(post_filter_ != nullptr, "post_filter");
}

CallError PostFilter::call(CallContext& calls, berth_call& call, std::span<const uint8_t> codes,
                           uint64_t draw, NominationAnswer& answer) const {
  BERTH_ASSERT(codes.size() >= call.count);
  berth_nomination result = {};
  result.size = sizeof result;
  CallError error = invoke(
      calls, call, [&] { return post_filter_(instance(), &call, codes.data(), draw, &result); });
  if (error) return error;
  if (result.code == BERTH_ERROR) return reported(calls);
  if (!in_set(result.code, kPostFilterCodes)) {
    return broken(calls,
                  code_refused(point_name(kPoint), result.code, kPostFilterCodes | code_bit(1)));
  }
  if (const auto problem = reserved_problem(result.reserved))
    return broken(calls, "returned " + *problem + ", from PostFilter");
  if (result.node >= environment().model.string_count()) {
    return broken(calls, "returned " + std::to_string(result.node) +
                             " as a node's name from PostFilter, which is not a string id");
  }
  if (result.victim_count > kMostVictims ||
      (result.victims == nullptr && result.victim_count != 0)) {
    return broken(calls, "returned " + std::to_string(result.victim_count) +
                             " victims from PostFilter: too many, or without an array");
  }
  log_code(calls, result.code);
  answer = {result.code,
            result.node,
            result.reason,
            result.clears != 0,
            {result.victims, static_cast<size_t>(result.victim_count)}};
  return {};
}

}  // namespace berth::host
