#pragma once

// Times, plugins and events as the queue knows them. A refuser is a plugin of one profile that
// refuses or gates pods; the runtime gives profiles and refusers their numbers.

#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/base/time.h"

namespace berth::queue {

using ProfileId = uint16_t;
using RefuserId = uint16_t;
inline constexpr RefuserId kNobody = UINT16_MAX;

// The refusers of one attempt, in ascending order and without duplicates.
class Refusers {
 public:
  // `pending`: the plugin waits for something else, so an event that helps it ends the backoff.
  void add(RefuserId refuser, bool pending = false);
  void clear();

  bool empty() const { return all_.empty(); }
  bool contains(RefuserId refuser) const;
  bool pending(RefuserId refuser) const;
  const std::vector<RefuserId>& all() const { return all_; }
  bool operator==(const Refusers&) const = default;

 private:
  std::vector<RefuserId> all_;
  std::vector<RefuserId> pending_;  // a subset
};

// One change of one object. An update that changes several properties is several events.
struct QueueEvent {
  uint32_t kind = 0;             // one BERTH_ON_ bit
  uint32_t action = 0;           // BERTH_DID_ bits; all of them have to be of interest
  const void* detail = nullptr;  // for the hooks; the queue passes it on during the call only
};

// The events that a refuser wants: those of a kind among `kinds` whose actions are all among
// `actions`.
struct Interest {
  ProfileId profile = 0;
  RefuserId refuser = 0;
  uint32_t kinds = 0;     // BERTH_ON_ bits
  uint32_t actions = 0;   // BERTH_DID_ bits
  bool has_hint = false;  // false: each such event helps
};

}  // namespace berth::queue
