#include "engine/isolation/child/model_services.h"

#include <algorithm>
#include <cstring>

#include "engine/isolation/child/asking.h"

namespace berth::isolation {
namespace {

// A plugin's growable struct in the size of this build; what the plugin's does not have is zero. A
// null pointer gives a struct of size 0, which the engine refuses.
template <typename T>
T grown(const T* given) {
  T whole = {};
  if (given != nullptr) std::memcpy(&whole, given, std::min<size_t>(given->size, sizeof whole));
  return whole;
}

uint32_t term(const berth_host*, const berth_pod_term* given) {
  return on_lane(0u, [&](PluginLane& lane) {
    const berth_pod_term term = grown(given);
    Writer message = message_of(term);
    message.list(term.namespaces, term.namespaces != nullptr ? term.namespace_count : 0);
    return lane.ask(Ask::kTerm, message).get<uint32_t>();
  });
}

uint32_t query(const berth_host*, const berth_count_query* given) {
  return on_lane(0u, [&](PluginLane& lane) {
    const berth_count_query query = grown(given);
    Writer message = message_of(query);
    message.list(query.terms, query.terms != nullptr ? query.term_count : 0);
    message.list(query.participants, query.participants != nullptr ? query.participant_count : 0);
    return lane.ask(Ask::kQuery, message).get<uint32_t>();
  });
}

uint32_t carry(const berth_host*, const berth_carried_terms* given) {
  return on_lane(0u, [&](PluginLane& lane) {
    const berth_carried_terms terms = grown(given);
    Writer message = message_of(terms);
    message.text(terms.terms);
    return lane.ask(Ask::kCarry, message).get<uint32_t>();
  });
}

template <Ask kKind>
uint32_t column(const berth_host*, uint32_t of) {
  return asked(0u, kKind, of);
}

constexpr berth_counts_service kCounts = {sizeof kCounts,
                                          0,
                                          term,
                                          query,
                                          column<Ask::kNodeCounts>,
                                          column<Ask::kDomainCounts>,
                                          column<Ask::kTotal>,
                                          column<Ask::kMinimum>,
                                          column<Ask::kDomains>,
                                          carry,
                                          column<Ask::kNodeCarried>,
                                          column<Ask::kCarriers>};

void each(const berth_host*, void* context, void (*visit)(void*, uint64_t, uint32_t)) {
  on_lane(0, [&](PluginLane& lane) {
    // A copy, because `visit` may ask.
    for (const WaitingPod& pod : lane.ask(Ask::kWaitingEach, Writer()).list<WaitingPod>())
      visit(context, pod.pod, static_cast<uint32_t>(pod.node));
    return 0;
  });
}
berth_code allow(const berth_host*, uint64_t pod) {
  return asked(berth_code{BERTH_ERROR}, Ask::kWaitingAllow, pod);
}
berth_code reject(const berth_host*, uint64_t pod, berth_string reason) {
  return on_lane(berth_code{BERTH_ERROR}, [&](PluginLane& lane) {
    Writer message = message_of(pod);
    message.text(reason);
    return lane.ask(Ask::kWaitingReject, message).get<berth_code>();
  });
}
void activate(const berth_host*, uint64_t count, const uint64_t* pods) {
  on_lane(0, [&](PluginLane& lane) {
    Writer message;
    message.list(pods, count);
    lane.ask(Ask::kWaitingActivate, message);
    return 0;
  });
}

constexpr berth_waiting_service kWaiting = {sizeof kWaiting, 0, each, allow, reject, activate};

// The object of an answer, which lives until the call ends. An answer is the object's number (0:
// there is none), the struct, and its arrays.
template <typename T>
T* kept(PluginLane& lane, Reader& answer) {
  const T object = answer.get<T>();
  return reinterpret_cast<T*>(lane.keep_bytes(std::as_bytes(std::span(&object, 1))));
}
template <typename T>
const T* kept_list(PluginLane& lane, Reader& answer) {
  const std::vector<T> values = answer.list<T>();
  return reinterpret_cast<const T*>(lane.keep_bytes(std::as_bytes(std::span(values))));
}
template <typename T>
const T* object_of(PluginLane& lane, Reader answer) {
  const auto number = answer.get<uint32_t>();
  if (number == 0) return nullptr;
  T* object = kept<T>(lane, answer);
  if constexpr (std::is_same_v<T, berth_volume>) object->labels = kept_list<uint32_t>(lane, answer);
  if constexpr (std::is_same_v<T, berth_csi_node>) {
    object->drivers = kept_list<uint32_t>(lane, answer);
    object->limits = kept_list<int64_t>(lane, answer);
  }
  lane.know(object, number);
  return object;
}

template <typename T, Ask kKind, typename... Values>
const T* look_up(const berth_host*, Values... values) {
  return on_lane(static_cast<const T*>(nullptr), [&](PluginLane& lane) {
    return object_of<T>(lane, lane.ask(kKind, message_of(values...)));
  });
}
template <typename T, Ask kKind>
const T* next(const berth_host*, const T* after) {
  return on_lane(static_cast<const T*>(nullptr), [&](PluginLane& lane) -> const T* {
    const uint32_t number = lane.number_of(after);
    if (after != nullptr && number == 0) return nullptr;
    return object_of<T>(lane, lane.ask(kKind, message_of(number)));
  });
}

uint64_t version(const berth_host*) { return asked(uint64_t{0}, Ask::kVolumesVersion); }

uint32_t selects(const berth_host*, const berth_claim* claim, const berth_volume* volume) {
  return on_lane(0u, [&](PluginLane& lane) {
    const auto message = message_of(lane.number_of(claim), lane.number_of(volume));
    return lane.ask(Ask::kSelects, message).get<uint32_t>();
  });
}
uint32_t node_matches(const berth_host*, uint32_t selector, uint32_t node) {
  return asked(0u, Ask::kNodeMatches, selector, node);
}

template <Ask kKind>
berth_code with_claim(const berth_host*, uint64_t pod, uint32_t volume, const berth_claim* claim) {
  return on_lane(berth_code{BERTH_ERROR}, [&](PluginLane& lane) {
    const auto message = message_of(pod, volume, lane.number_of(claim));
    return lane.ask(kKind, message).get<berth_code>();
  });
}
template <Ask kKind>
berth_code with_node(const berth_host*, uint64_t pod, uint32_t namespace_name, uint32_t name,
                     uint32_t node) {
  return asked(berth_code{BERTH_ERROR}, kKind, pod, namespace_name, name, node);
}
void forget_volume(const berth_host*, uint64_t pod, uint32_t volume) {
  told(Ask::kForgetVolume, pod, volume);
}
void forget_claim(const berth_host*, uint64_t pod, uint32_t namespace_name, uint32_t name) {
  told(Ask::kForgetClaim, pod, namespace_name, name);
}

constexpr berth_volumes_service kVolumes = {
    sizeof kVolumes,
    0,
    version,
    look_up<berth_claim, Ask::kClaim, uint32_t, uint32_t>,
    look_up<berth_volume, Ask::kVolume, uint32_t>,
    look_up<berth_storage_class, Ask::kStorageClass, uint32_t>,
    look_up<berth_csi_driver, Ask::kCsiDriver, uint32_t>,
    next<berth_claim, Ask::kNextClaim>,
    next<berth_volume, Ask::kNextVolume>,
    next<berth_csi_node, Ask::kNextCsiNode>,
    next<berth_csi_capacity, Ask::kNextCapacity>,
    next<berth_volume_attachment, Ask::kNextAttachment>,
    selects,
    node_matches,
    with_claim<Ask::kAssumeVolume>,
    with_node<Ask::kAssumeClaim>,
    forget_volume,
    forget_claim,
    with_claim<Ask::kWriteVolume>,
    with_node<Ask::kWriteClaim>,
    look_up<berth_claim, Ask::kWrittenClaim, uint32_t, uint32_t>,
    look_up<berth_volume, Ask::kWrittenVolume, uint32_t>};

}  // namespace

const berth_counts_service& counts_table() { return kCounts; }
const berth_waiting_service& waiting_table() { return kWaiting; }
const berth_volumes_service& volumes_table() { return kVolumes; }

}  // namespace berth::isolation
