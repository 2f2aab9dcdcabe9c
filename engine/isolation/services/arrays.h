#pragma once

// The arrays of structs that cross between the processes.

#include <cstdint>
#include <type_traits>

#include "berth/abi/counts.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/overlay.h"
#include "berth/abi/volumes.h"

namespace berth::isolation {

// Calls each(pointer, count) or each(pointer, count, elements per count) for each array of the
// struct, with references to its members. A struct without a function of its own has no arrays.
void visit_arrays(auto&, auto&&) {}

inline void visit_arrays(berth_pod_term& term, auto&& each) {
  each(term.namespaces, term.namespace_count);
}
inline void visit_arrays(berth_count_query& query, auto&& each) {
  each(query.terms, query.term_count);
  each(query.participants, query.participant_count);
  each(query.resource.data, query.resource.size);
}
inline void visit_arrays(berth_carried_terms& carried, auto&& each) {
  each(carried.terms.data, carried.terms.size);
}
inline void visit_arrays(berth_volume& volume, auto&& each) {
  each(volume.labels, volume.label_count, 2);
}
inline void visit_arrays(berth_csi_node& node, auto&& each) {
  each(node.drivers, node.driver_count);
  each(node.limits, node.driver_count);
}
inline void visit_arrays(berth_what_if_stamps& stamps, auto&& each) {
  each(stamps.by_row, stamps.rows);
}
inline void visit_arrays(berth_preempt_candidate& candidate, auto&& each) {
  each(candidate.victims, candidate.victim_count);
}

template <typename... T>
struct Types {};

// Objects of the volumes service, in the order of the kinds of their events: the engine knows them
// by numbers, and they live until the call of the plugin ends.
using Objects = Types<berth_claim, berth_volume, berth_storage_class, berth_csi_node,
                      berth_csi_driver, berth_csi_capacity, berth_volume_attachment>;

template <typename T, typename... Known>
constexpr uint32_t object_kind(Types<Known...>) {
  uint32_t kind = BERTH_ON_CLAIM;
  const bool known = ((std::is_same_v<T, Known> || (kind <<= 1, false)) || ...);
  return known ? kind : 0;
}
// One BERTH_ON_ bit; 0: it is no such object.
template <typename T>
inline constexpr uint32_t kObjectKind = object_kind<T>(Objects());
static_assert(kObjectKind<berth_volume_attachment> == BERTH_ON_VOLUME_ATTACHMENT);

}  // namespace berth::isolation
