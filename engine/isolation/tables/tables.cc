// The functions that are not generated (passed.h), and how all of them come into a table.

#include "engine/isolation/tables/tables.h"

#include "engine/base/error.h"
#include "engine/isolation/tables/decision.h"
#include "engine/isolation/tables/passed.h"

namespace berth::isolation {
namespace {

template <Point kPoint>
berth_code prepare(berth_plugin* plugin, const berth_template* pod, berth_prepared* prepared) {
  return guarded(
      plugin, pod->error, [&] { return of(plugin).prepare(kPoint, *pod, *prepared); },
      [&] {
        // A template without a state, whose calls fail and are skipped, too.
        prepared->flags = 0;
        return BERTH_SUCCESS;
      });
}

void release(berth_plugin* plugin, void* state) {
  unguarded([&] { of(plugin).release(*static_cast<State*>(state)); });
}

// An object of storage, with its arrays, in the lane.
template <typename T>
const void* put_object(InstanceCall& made, const void* from, uint32_t& number) {
  if (from == nullptr) return nullptr;
  LaneCall& lane = made.lane();
  T object = *static_cast<const T*>(from);
  visit_arrays(object, [&](auto*& array, auto count, uint64_t each = 1) {
    array = lane.there(lane.copy(array, count * each));
  });
  number = made.answers().number_of(static_cast<const T*>(from));
  return lane.there(lane.copy(&object, 1));
}

const void* put_object(InstanceCall& made, uint32_t kind, const void* from, uint32_t& number) {
  switch (kind) {
    case BERTH_ON_CLAIM:
      return put_object<berth_claim>(made, from, number);
    case BERTH_ON_VOLUME:
      return put_object<berth_volume>(made, from, number);
    case BERTH_ON_STORAGE_CLASS:
      return put_object<berth_storage_class>(made, from, number);
    case BERTH_ON_CSI_NODE:
      return put_object<berth_csi_node>(made, from, number);
    case BERTH_ON_CSI_DRIVER:
      return put_object<berth_csi_driver>(made, from, number);
    case BERTH_ON_CSI_CAPACITY:
      return put_object<berth_csi_capacity>(made, from, number);
    case BERTH_ON_VOLUME_ATTACHMENT:
      return put_object<berth_volume_attachment>(made, from, number);
    default:
      return nullptr;
  }
}

berth_code hint(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                uint8_t* queue) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), Point::kHints, state_of(call));
    made.put(*call);
    berth_event* there = made.lane().copy(event, 1);
    const MappedArena arena = of(plugin).arena();
    there->before = put_columns(made.lane(), arena, event->before, call->column_count);
    there->after = put_columns(made.lane(), arena, event->after, call->column_count);
    Request& request = made.request();
    there->object_before = put_object(made, event->kind, event->object_before, request.objects[0]);
    there->object_after = put_object(made, event->kind, event->object_after, request.objects[1]);
    request.arguments[2] = made.lane().address(there);
    const uint8_t* answer = made.put_array(3, queue, 1);
    berth_code code = BERTH_SUCCESS;
    made.run(kCall<&berth_hints::hint>, call->error, code);
    *queue = *answer;
    return code;
  });
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
    berth_code code = BERTH_SUCCESS;
    made.run(kCall<&berth_overlay_state::reset>, nullptr, code);
  });
}

void overlay_end(berth_plugin* plugin, void* scratch) {
  unguarded([&] { of(plugin).end_scratch(*static_cast<State*>(scratch)); });
}

// By hand: functions that make a state or a scratch, or end it, which outlives a process here; the
// event of a hint, whose columns and objects lie in the lane in parts; and results with arrays.
template <Point kPoint, auto kMember>
constexpr auto kPassed = &Passed<kPoint, kMember>::call;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_hook::prepare> = &prepare<kPoint>;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_hook::release> = &release;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_hints::hint> = &hint;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_overlay_state::begin> = &overlay_begin;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_overlay_state::reset> = &overlay_reset;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_overlay_state::end> = &overlay_end;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_pre_filter::pre_filter> = &pass_pre_filter;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_post_filter::post_filter> = &pass_post_filter;
template <Point kPoint>
constexpr auto kPassed<kPoint, &berth_pre_score::pre_score> = &pass_pre_score;

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
