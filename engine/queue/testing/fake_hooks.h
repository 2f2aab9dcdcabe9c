#pragma once

// A world for the queue: what pods are like, who gates them, and what refusers say to events.

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "engine/queue/queue_hooks.h"
#include "engine/queue/sort_key.h"

namespace berth::queue {

struct FakePod {
  int priority = 0;  // the greater first
  uint32_t group = 0;
  RefuserId gate = kNobody;
};

class FakeHooks : public QueueHooks {
 public:
  struct Asked {
    RefuserId refuser = 0;
    std::vector<model::PodId> pods;
    bool operator==(const Asked&) const = default;
  };

  std::map<model::PodId, FakePod> pods;
  // True if the event helps pods of the group.
  std::function<bool(const QueueEvent&, RefuserId, uint32_t group)> helps;
  std::vector<Asked> asked;             // calls of `hint`
  std::vector<model::PodId> gate_asks;  // pods that `gate` was asked about
  std::map<model::PodId, uint64_t> moments;

  size_t key_bytes = sizeof(SortKey);  // at least 9

  // By priority, then by the time of entry. Both stand at the end of the key, and what is before
  // them is equal for all pods.
  void write_key(model::PodId id, uint8_t* key) const {
    std::fill_n(key, key_bytes - 9, uint8_t{7});
    key += key_bytes - 9;
    *key = static_cast<uint8_t>(200 - pods.at(id).priority);
    for (size_t i = 0; i < 8; ++i)
      key[1 + i] = static_cast<uint8_t>(moments.at(id) >> (56 - 8 * i));
  }

  void queued(model::PodId pod, Time, uint64_t moment) override { moments[pod] = moment; }
  void gate(ProfileId, std::span<const model::PodId> ids, std::span<RefuserId> by) override {
    for (size_t i = 0; i < ids.size(); ++i) {
      gate_asks.push_back(ids[i]);
      by[i] = pods.at(ids[i]).gate;
    }
  }
  void sort_keys(ProfileId, std::span<const model::PodId> ids, std::span<uint8_t> keys) override {
    for (size_t i = 0; i < ids.size(); ++i) write_key(ids[i], &keys[i * key_bytes]);
  }
  uint32_t group(model::PodId pod) override { return pods.at(pod).group; }
  void hint(const QueueEvent& event, RefuserId refuser, std::span<const model::PodId> ids,
            std::span<uint8_t> queue) override {
    asked.push_back({refuser, {ids.begin(), ids.end()}});
    for (size_t i = 0; i < ids.size(); ++i) queue[i] = helps(event, refuser, group(ids[i]));
  }
};

}  // namespace berth::queue
