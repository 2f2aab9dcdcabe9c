#pragma once

// The arrays of structs that cross between the processes.

#include <type_traits>

#include "berth/abi/counts.h"
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

// Objects of the volumes service: the engine knows them by numbers, and they live until the call of
// the plugin ends.
template <typename T, typename... Others>
inline constexpr bool kIsAny = (std::is_same_v<T, Others> || ...);
template <typename T>
inline constexpr bool kIsObject =
    kIsAny<T, berth_claim, berth_volume, berth_storage_class, berth_csi_node, berth_csi_driver,
           berth_csi_capacity, berth_volume_attachment>;

}  // namespace berth::isolation
