#include "plugins/node_resources_fit/filter.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// Reasons are ordered: pods, then these, then the scalar resources by name.
constexpr std::string_view kBasic[] = {"cpu", "memory", "ephemeral-storage"};

bool is_basic(std::string_view resource) {
  return std::find(std::begin(kBasic), std::end(kBasic), resource) != std::end(kBasic);
}

BERTH_SDK_VECTORISE
void check_places(const int64_t* pods, const int64_t* places, uint8_t* verdicts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    verdicts[i] = pods[i] >= places[i] ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
}

// A worse verdict has a higher code, so the verdict of several resources is the maximum.
static_assert(BERTH_SUCCESS < BERTH_UNSCHEDULABLE &&
              BERTH_UNSCHEDULABLE < BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);

inline uint8_t check(int64_t request, int64_t allocatable, int64_t used) {
  // The free amount may overflow if a node reports absurd numbers; it wraps like kube-scheduler's.
  const bool lacks = request > sdk::wrapping_subtract(allocatable, used);
  const bool never = request > allocatable;
  return static_cast<uint8_t>(lacks ? BERTH_UNSCHEDULABLE + static_cast<int>(never)
                                    : BERTH_SUCCESS);
}

BERTH_SDK_VECTORISE
void check_room(int64_t request, const int64_t* allocatable, const int64_t* used, uint8_t* verdicts,
                size_t count) {
  for (size_t i = 0; i < count; ++i)
    verdicts[i] = std::max(verdicts[i], check(request, allocatable[i], used[i]));
}

// The verdict of the first position.
uint8_t check_one(const FitFilter::Call& call, int64_t pods, int64_t places) {
  uint8_t verdict = pods >= places ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  for (const FitState::Need& need : call.state().needs)
    verdict = std::max(verdict, check(need.request, call[need.allocatable][0], call[need.used][0]));
  return verdict;
}

constexpr uint32_t kNoPlace = 1;
// Needs that fit into the bits of a reason besides kNoPlace and the bit of the position.
constexpr size_t kMostNeeds = 30;

// Calls lacks(i) for each need of the pod that the node at this position does not meet.
template <class Lacks>
void for_each_lack(const FitFilter::Call& call, size_t position, Lacks&& lacks) {
  const std::vector<FitState::Need>& needs = call.state().needs;
  for (size_t i = 0; i < needs.size(); ++i)
    if (check(needs[i].request, call[needs[i].allocatable][position],
              call[needs[i].used][position]) != BERTH_SUCCESS)
      lacks(i);
}

}  // namespace

bool is_counted(std::string_view resource) {
  return is_basic(resource) || sdk::is_scalar_resource(resource);
}

bool must_fit(std::string_view resource, int64_t request) {
  return is_basic(resource) ? request > 0 : request != 0 && sdk::is_scalar_resource(resource);
}

bool FitFilter::counts(std::string_view resource, int64_t request) const {
  if (!must_fit(resource, request)) return false;
  return !sdk::is_extended_resource(resource) || !args_.ignores(resource);
}

void FitFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitState& state) {
  prepared.keep(pods_);
  state.places = prepared.add<int64_t>("node.allocatable:pods");
  const auto names = pod.one(request_names_);
  const auto amounts = pod.one(requests_);
  const auto add = [&](std::string_view name, int64_t amount) {
    if (!counts(name, amount)) return;
    state.needs.push_back({std::string(name), sdk::concat("Insufficient ", name),
                           prepared.add<int64_t>(sdk::concat("node.allocatable:", name)),
                           prepared.add<int64_t>(sdk::concat("node.requested:", name)), amount});
  };
  for (const std::string_view basic : kBasic)
    for (size_t i = 0; i < names.size(); ++i)
      if (strings_.text(names[i]) == basic) add(basic, amounts[i]);
  for (size_t i = 0; i < names.size(); ++i)
    if (!is_basic(strings_.text(names[i]))) add(strings_.text(names[i]), amounts[i]);
}

void FitFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  if (!call.ran_pre_filter()) {
    call.error().write("error reading \"PreFilterNodeResourcesFit\" from cycleState: not found");
    std::fill(verdicts.begin(), verdicts.end(), static_cast<uint8_t>(BERTH_ERROR));
    return;
  }
  const FitState& state = call.state();
  // Mostly one node changed since the last call, for which vectors do not pay.
  if (verdicts.size() == 1) {
    verdicts[0] = check_one(call, call[pods_][0], call[state.places][0]);
    return;
  }
  check_places(call[pods_].data(), call[state.places].data(), verdicts.data(), verdicts.size());
  for (const FitState::Need& need : state.needs)
    check_room(need.request, call[need.allocatable].data(), call[need.used].data(), verdicts.data(),
               verdicts.size());
}

void FitFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  const FitState& state = call.state();
  if (state.needs.size() > kMostNeeds)
    return std::fill(reasons.begin(), reasons.end(), BERTH_REASON_OF_POSITION | kNoPlace);
  const auto pods = call[pods_];
  const auto places = call[state.places];
  for (size_t position = 0; position < reasons.size(); ++position) {
    uint32_t set = pods[position] >= places[position] ? kNoPlace : 0;
    for_each_lack(call, position, [&](size_t need) { set |= kNoPlace << (need + 1); });
    reasons[position] = set;
  }
}

void FitFilter::describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const {
  const FitState& state = call.state();
  const bool again = (reason & BERTH_REASON_OF_POSITION) != 0;
  if (again ? call[pods_][0] >= call[state.places][0] : (reason & kNoPlace) != 0)
    sink.write("Too many pods");
  if (again) return for_each_lack(call, 0, [&](size_t i) { sink.write(state.needs[i].reason); });
  for (size_t i = 0; i < state.needs.size(); ++i)
    if ((reason >> (i + 1) & 1) != 0) sink.write(state.needs[i].reason);
}

void FitFilter::numbers(const Call& call, sdk::Numbers& numbers) const {
  const FitState& state = call.state();
  const auto add = [&](std::string_view resource, int64_t wanted, int64_t allocatable,
                       int64_t used) {
    const uint32_t unit = sdk::unit_of(resource);
    numbers.item(resource)
        .number("wanted", wanted, unit)
        .number("free", sdk::wrapping_subtract(allocatable, used), unit)
        .number("requested", used, unit)
        .number("allocatable", allocatable, unit);
  };
  const int64_t pods = call[pods_][0];
  const int64_t places = call[state.places][0];
  if (pods >= places) add("pods", 1, places, pods);
  for_each_lack(call, 0, [&](size_t i) {
    const FitState::Need& need = state.needs[i];
    add(need.resource, need.request, call[need.allocatable][0], call[need.used][0]);
  });
}

}  // namespace berth::plugins
