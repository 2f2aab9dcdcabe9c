#pragma once

// The service of pods that wait in Permit (berth/abi/bind.h).

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "berth/abi/bind.h"

namespace berth::host {

// Serves plugins that ask about waiting pods. Pods are named by handle (pod.handle); a handle of
// another pod is no error of the caller, since pods come and go. On the thread that owns the model.
class WaitingServices {
 public:
  virtual ~WaitingServices() = default;
  // In the order in which they began to wait. `node`: string id of the node's name. `visit` may
  // call the functions below.
  virtual void each(const std::function<void(uint64_t pod, uint32_t node)>& visit) = 0;
  // False: the pod does not wait for this plugin.
  virtual bool allow(uint64_t pod, const std::string& plugin) = 0;
  // False: the pod does not wait.
  virtual bool reject(uint64_t pod, const std::string& plugin, std::string_view reason) = 0;
  virtual void activate(std::span<const uint64_t> pods) = 0;
};

// Set by the scheduler, which is made after the plugins. Without one, no pod waits.
struct Waiting {
  WaitingServices* now = nullptr;
};

const berth_waiting_service& waiting_service();

}  // namespace berth::host
