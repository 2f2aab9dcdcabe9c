#pragma once

// Pods that wait in Permit. The C contracts are in berth/abi/bind.h.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "berth/abi/bind.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

class WaitingPods : Service<berth_waiting_service> {
 public:
  struct Waiting {
    uint64_t pod = 0;   // as in pod.handle
    uint32_t node = 0;  // string id of the node's name
  };

  WaitingPods() = default;
  explicit WaitingPods(Host host) : Service(host, BERTH_WAITING_SERVICE) {}

  // [cycle] The pods of all profiles that wait now, in the order in which they began to.
  std::vector<Waiting> all() const {
    std::vector<Waiting> pods;
    table_->each(host_, &pods, [](void* to, uint64_t pod, uint32_t node) {
      static_cast<std::vector<Waiting>*>(to)->push_back({pod, node});
    });
    return pods;
  }
  // [cycle] This plugin no longer holds the pod. False: it did not.
  bool allow(uint64_t pod) const { return table_->allow(host_, pod) == BERTH_SUCCESS; }
  // [cycle] Refuses the pod. False: it does not wait, or was allowed or refused before.
  bool reject(uint64_t pod, std::string_view reason) const {
    return table_->reject(host_, pod, to_abi(reason)) == BERTH_SUCCESS;
  }
  // [cycle] Queued pods are tried next, whatever keeps them but a gate.
  void activate(std::span<const uint64_t> pods) const {
    table_->activate(host_, pods.size(), pods.data());
  }
};

}  // namespace berth::sdk
