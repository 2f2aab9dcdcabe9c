// The functions of the tables of the queue, of binding and of overlays, and of the hooks of all
// points.

#include "engine/isolation/tables/tables.h"

#include <algorithm>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/overlay.h"
#include "berth/abi/volumes.h"
#include "engine/base/error.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/isolation/tables/calls.h"
#include "engine/isolation/tables/decision.h"

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

template <Point kPoint>
void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
              const berth_text_sink* sink) {
  unguarded([&] {
    InstanceCall made(of(plugin), kPoint, state_of(call));
    made.put(*call);
    made.request().numbers[0] = reason;
    berth_code code = BERTH_SUCCESS;
    made.run(Call::kDescribe, sink, code);
  });
}

berth_code queue_keys(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), Point::kQueueSort, state_of(call));
    made.put(*call);
    const uint8_t* there = made.put_output(0, keys[0], call->count * 16);
    berth_code code = BERTH_SUCCESS;
    made.run(Call::kQueueKeys, call->error, code);
    take(keys[0], there, call->count * 16);
    return code;
  });
}

uint32_t hint_actions(berth_plugin* plugin, uint32_t kind) {
  return unguarded([&] {
    InstanceCall made(of(plugin), Point::kHints);
    made.request().numbers[0] = kind;
    berth_code code = BERTH_SUCCESS;
    Reader result = made.run(Call::kHintActions, nullptr, code);
    return parsed<uint32_t>(made.lane(), [&] { return result.get<uint32_t>(); });
  });
}

// An object of storage, with its arrays, in the lane.
template <typename T>
const void* put_object(InstanceCall& made, const void* from, uint64_t& number) {
  if (from == nullptr) return nullptr;
  LaneCall& lane = made.lane();
  const auto& object = *static_cast<const T*>(from);
  T* out = lane.copy(&object, 1);
  visit_arrays(*out, [&](auto*& array, auto count, uint64_t each = 1) {
    array = lane.there(lane.copy(array, count * each));
  });
  number = made.answers().number_of(&object);
  return lane.there(out);
}

const void* put_object(InstanceCall& made, uint32_t kind, const void* from, uint64_t& number) {
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
    there->object_before = put_object(made, event->kind, event->object_before, request.numbers[0]);
    there->object_after = put_object(made, event->kind, event->object_after, request.numbers[1]);
    request.places[0] = made.lane().address(there);
    const uint8_t* answer = made.put_output(1, queue, 1);
    berth_code code = BERTH_SUCCESS;
    made.run(Call::kHint, call->error, code);
    take(queue, answer, 1);
    return code;
  });
}

berth_code permit(berth_plugin* plugin, const berth_call* call, uint8_t* codes, uint32_t* reasons,
                  int64_t* timeouts) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), Point::kPermit, state_of(call));
    made.put(*call);
    const uint8_t* codes_there = made.put_output(0, codes, call->count);
    const uint32_t* reasons_there = made.put_output(1, reasons, call->count);
    const int64_t* timeouts_there = made.put_output(2, timeouts, call->count);
    berth_code code = BERTH_SUCCESS;
    made.run(Call::kPermit, call->error, code);
    take(codes, codes_there, call->count);
    take(reasons, reasons_there, call->count);
    take(timeouts, timeouts_there, call->count);
    return code;
  });
}

berth_code pre_bind_or_wait(berth_plugin* plugin, const berth_call* call, const int64_t* waited,
                            uint8_t* codes, int64_t* again) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), Point::kPreBind, state_of(call));
    made.put(*call);
    made.put_input(0, waited, call->count);
    const uint8_t* codes_there = made.put_output(1, codes, call->count);
    const int64_t* again_there = made.put_output(2, again, call->count);
    berth_code code = BERTH_SUCCESS;
    made.run(Call::kPreBindOrWait, call->error, code);
    take(codes, codes_there, call->count);
    take(again, again_there, call->count);
    return code;
  });
}

void* overlay_begin(berth_plugin* plugin, const void* base) {
  return unguarded([&] { return of(plugin).begin_scratch(static_cast<const State*>(base)); });
}

template <Call kCall>
berth_code overlay_change(berth_plugin* plugin, void* scratch, const berth_call* pod,
                          uint32_t row) {
  return guarded(pod->error, [&] {
    InstanceCall made(of(plugin), Point::kOverlayState, static_cast<const State*>(scratch));
    made.put(*pod);
    made.request().call.state = nullptr;
    made.request().numbers[0] = made.state_there();
    made.request().numbers[1] = row;
    berth_code code = BERTH_SUCCESS;
    made.run(kCall, pod->error, code);
    return code;
  });
}

// A scratch that was lost with its process is not set back: the host then begins another one.
void overlay_reset(berth_plugin* plugin, void* scratch, const void* base) {
  unguarded([&] {
    const uint64_t base_there = [&] {
      InstanceCall first(of(plugin), Point::kOverlayState, static_cast<const State*>(base));
      return first.state_there();
    }();
    InstanceCall made(of(plugin), Point::kOverlayState, static_cast<const State*>(scratch));
    made.request().numbers[0] = made.state_there();
    made.request().numbers[1] = base_there;
    berth_code code = BERTH_SUCCESS;
    made.run(Call::kOverlayReset, nullptr, code);
  });
}

void overlay_end(berth_plugin* plugin, void* scratch) {
  unguarded([&] { of(plugin).end_scratch(*static_cast<State*>(scratch)); });
}

template <Point kPoint>
void replace_hook(berth_hook& hook) {
  replace(hook.prepare, &prepare<kPoint>);
  replace(hook.release, &release);
  replace(hook.describe, &describe<kPoint>);
}

using isolation::replace_in;  // of the tables of decisions

void replace_in(berth_pre_enqueue& table) {
  replace(table.check, &codes_and_reasons<Point::kPreEnqueue, Call::kPreEnqueue>);
}
void replace_in(berth_queue_sort& table) { replace(table.keys, &queue_keys); }
void replace_in(berth_hints& table) {
  replace(table.actions, &hint_actions);
  replace(table.hint, &hint);
}
void replace_in(berth_reserve& table) {
  replace(table.reserve, &codes_and_reasons<Point::kReserve, Call::kReserve>);
  replace(table.unreserve, &told<Point::kReserve, Call::kUnreserve>);
}
void replace_in(berth_permit& table) { replace(table.permit, &permit); }
void replace_in(berth_pre_bind& table) {
  replace(table.pre_flight, &filled<Point::kPreBind, Call::kPreFlight, uint8_t>);
  replace(table.pre_bind, &filled<Point::kPreBind, Call::kPreBind, uint8_t>);
  replace(table.pre_bind_or_wait, &pre_bind_or_wait);
}
void replace_in(berth_bind& table) {
  replace(table.bind, &filled<Point::kBind, Call::kBind, uint8_t>);
}
void replace_in(berth_post_bind& table) {
  replace(table.post_bind, &told<Point::kPostBind, Call::kPostBind>);
}
void replace_in(berth_overlay_state& table) {
  replace(table.begin, &overlay_begin);
  replace(table.add_pod, &overlay_change<Call::kOverlayAdd>);
  replace(table.remove_pod, &overlay_change<Call::kOverlayRemove>);
  replace(table.reset, &overlay_reset);
  replace(table.end, &overlay_end);
}

template <Point kPoint, typename Table>
void replace_all(void* table, berth_hook& hook) {
  replace_in(*static_cast<Table*>(table));
  replace_hook<kPoint>(hook);
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
    replace_all<T::kPoint, typename T::Table>(table, hook);
  });
}

}  // namespace berth::isolation
