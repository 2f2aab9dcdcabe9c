#include "engine/isolation/tables/structs.h"

#include <algorithm>
#include <utility>

namespace berth::isolation {
namespace {

// An object of storage, with its arrays, in the lane.
template <typename T>
const void* put_object(InstanceCall& made, const T& from, uint32_t& number) {
  LaneCall& lane = made.lane();
  T object = from;
  visit_arrays(object, [&](auto*& array, auto count, uint64_t each = 1) {
    array = lane.there(lane.copy(array, count * each));
  });
  number = made.answers().number_of(&from);
  return lane.there(lane.copy(&object, 1));
}

template <typename... Objects>
const void* put_object(InstanceCall& made, uint32_t kind, const void* from, uint32_t& number,
                       Types<Objects...>) {
  const void* there = nullptr;
  const auto put = [&]<typename T>(const T* object) {
    if (kind == kObjectKind<T>) there = put_object(made, *object, number);
  };
  if (from != nullptr) (put(static_cast<const Objects*>(from)), ...);
  return there;
}

const std::vector<uint32_t>& kept_names(IsolatedInstance& instance, const void* state,
                                        std::vector<uint32_t> names) {
  auto& all = state != nullptr ? const_cast<State*>(static_cast<const State*>(state))->node_names
                               : instance.node_names();
  const auto known = std::ranges::find(all, names);
  return known != all.end() ? *known : all.emplace_back(std::move(names));
}

}  // namespace

berth_feasible* put_struct(InstanceCall& made, const berth_call&, const berth_feasible& from) {
  LaneCall& lane = made.lane();
  berth_feasible* there = lane.copy(&from, 1);
  there->rows = lane.there(lane.copy(from.rows, (from.row_count + 63) / 64));
  return there;
}

berth_event* put_struct(InstanceCall& made, const berth_call& call, const berth_event& from) {
  LaneCall& lane = made.lane();
  berth_event* there = lane.copy(&from, 1);
  const MappedArena& arena = made.answers().arena();
  there->before = put_columns(lane, arena, from.before, call.column_count);
  there->after = put_columns(lane, arena, from.after, call.column_count);
  auto& [before, after] = made.request().objects;
  there->object_before = put_object(made, from.kind, from.object_before, before, Objects());
  there->object_after = put_object(made, from.kind, from.object_after, after, Objects());
  return there;
}

void take_struct(InstanceCall& made, const berth_call& call, Reader& result,
                 berth_pre_filter_result& to) {
  to = result.get<berth_pre_filter_result>();
  auto names = result.list<uint32_t>();
  if (to.node_names == nullptr || to.narrows == 0) {
    to.node_names = nullptr;
    return;
  }
  to.node_name_count = names.size();
  names.shrink_to_fit();
  if (names.empty()) names.reserve(1);  // so that no names are an array, too
  to.node_names = kept_names(made.instance(), call.state, std::move(names)).data();
}

void take_struct(InstanceCall& made, const berth_call&, Reader& result, berth_nomination& to) {
  to = result.get<berth_nomination>();
  std::vector<uint64_t>& victims = made.instance().victims();
  victims = result.list<uint64_t>();
  if (to.victims == nullptr) return;
  to.victim_count = victims.size();
  victims.emplace_back();
  to.victims = victims.data();
}

void take_struct(InstanceCall&, const berth_call&, Reader& result, berth_pre_score_result& to) {
  to = result.get<berth_pre_score_result>();
}

}  // namespace berth::isolation
