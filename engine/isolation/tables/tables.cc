// The functions that are not generated (passed.h), and how all of them come into a table.

#include "engine/isolation/tables/tables.h"

#include "engine/base/error.h"
#include "engine/isolation/tables/passed.h"

namespace berth::isolation {
namespace {

// Not skipped: what it prepares is kept, for decisions to come, which have the process again.
template <Point kPoint>
berth_code prepare(berth_plugin* plugin, const berth_template* pod, berth_prepared* prepared) {
  return guarded(pod->error, [&] { return of(plugin).prepare(kPoint, *pod, *prepared); });
}

// Ends a state or a scratch.
template <auto kMember>
void end_state(berth_plugin* plugin, void* ended) {
  unguarded([&] { of(plugin).end(kCall<kMember>, *static_cast<State*>(ended)); });
}

void* overlay_begin(berth_plugin* plugin, const void* base) {
  return unguarded([&] { return of(plugin).begin_scratch(static_cast<const State*>(base)); });
}

// A scratch that was lost with its process is not set back: the host then begins another one.
void overlay_reset(berth_plugin* plugin, void* scratch, const void* base) {
  unguarded([&] {
    const uint64_t base_there = [&] {
      InstanceCall first(of(plugin), Point::kOverlayState, static_cast<const State*>(base));
      return first.state_there();
    }();
    InstanceCall made(of(plugin), Point::kOverlayState, static_cast<const State*>(scratch));
    made.request().arguments[1] = made.state_there();
    made.request().arguments[2] = base_there;
    made.run(kCall<&berth_overlay_state::reset>);
  });
}

// By hand: functions that make a state or a scratch, or end it, which outlives a process here.
template <Point kPoint, auto kMember>
constexpr auto kPassed = &Passed<kPoint, kMember>::call;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_hook::prepare> = &prepare<kPoint>;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_hook::release> = &end_state<&berth_hook::release>;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_overlay_state::begin> = &overlay_begin;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_overlay_state::reset> = &overlay_reset;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_overlay_state::end> = &end_state<&berth_overlay_state::end>;

// Members that are null stay null.
template <Point kPoint, auto kMember, typename Table>
void replace([[maybe_unused]] Table& table) {
  if constexpr (kIsOf<Table, kMember>)
    if (table.*kMember != nullptr) table.*kMember = kPassed<kPoint, kMember>;
}
template <Point kPoint, typename Table, auto... kMembers>
void replace_members(Table& table, Functions<kMembers...>) {
  (replace<kPoint, kMembers>(table), ...);
}

// A hook that is skipped now must be asked again at once, so none of its answers is kept.
void keep_no_answers(Point point, berth_hook& hook) {
  const bool skipped = point == Point::kPreFilter || point == Point::kFilter ||
                       point == Point::kPreScore || point == Point::kScore;
  if (!skipped) return;
  if (hook.depends == BERTH_DEPENDS_DECLARED) hook.depends = BERTH_DEPENDS_EXTERNAL;
  if (hook.depends == BERTH_DEPENDS_FEASIBLE)
    throw Error(
        "depends on the set of feasible nodes, so a plugin with it cannot be skipped when "
        "its process fails; choose to fail the pod");
}

}  // namespace

void replace_functions(Point point, void* table, berth_hook& hook, bool skips) {
  if (skips) keep_no_answers(point, hook);
  host::visit_hook_type(point, [&]<typename T>(std::type_identity<T>) {
    replace_members<T::kPoint>(*static_cast<typename T::Table*>(table), TableFunctions());
    replace_members<T::kPoint>(hook, TableFunctions());
  });
}

}  // namespace berth::isolation
