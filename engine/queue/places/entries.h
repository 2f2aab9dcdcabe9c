#pragma once

// The entries of the queue's orders. An entry is valid while its pod is at the version that the
// entry names (queued_pods.h).
//
// `ahead` is kube-scheduler's comparison: by what the order is about, so entries may be equal.
// `before` puts equal entries in the order of their queue time, so valid entries differ.

#include <bit>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "engine/queue/queue_event.h"
#include "engine/queue/sort_key.h"

namespace berth::queue {

// A sort key as numbers, which compare faster than bytes.
struct OrderedKey {
  uint64_t high = 0;
  uint64_t low = 0;

  OrderedKey() = default;
  explicit OrderedKey(const SortKey& key) {
    std::memcpy(&high, key.data(), 8);
    std::memcpy(&low, key.data() + 8, 8);
    if constexpr (std::endian::native == std::endian::little) {
      high = __builtin_bswap64(high);
      low = __builtin_bswap64(low);
    }
  }
};

struct Ticket {
  uint32_t index = 0;  // of the pod
  uint32_t version = 0;
};

// A pod in the active queue. The order is by sort key.
struct ActiveEntry {
  OrderedKey key;
  uint64_t number = 0;
  Ticket ticket;

  bool ahead(const ActiveEntry& other) const {
    return std::tie(key.high, key.low) < std::tie(other.key.high, other.key.low);
  }
  bool before(const ActiveEntry& other) const {
    return std::tie(key.high, key.low, number) <
           std::tie(other.key.high, other.key.low, other.number);
  }
};

// A pod that backs off. The order is by the end of backoff, then as active pods; without a key it
// is by the end of backoff alone.
struct BackoffEntry {
  Time until{};
  ActiveEntry pod;

  bool ahead(const BackoffEntry& other) const {
    return until != other.until ? until < other.until : pod.ahead(other.pod);
  }
  bool before(const BackoffEntry& other) const {
    return until != other.until ? until < other.until : pod.before(other.pod);
  }
};

// A pod that waits for an event. The order is by queue time (`number`).
struct WaitEntry {
  uint64_t number = 0;
  Ticket ticket;

  bool before(const WaitEntry& other) const { return number < other.number; }
};

inline Ticket ticket_of(const ActiveEntry& entry) { return entry.ticket; }
inline Ticket ticket_of(const BackoffEntry& entry) { return entry.pod.ticket; }
inline Ticket ticket_of(const WaitEntry& entry) { return entry.ticket; }

}  // namespace berth::queue
