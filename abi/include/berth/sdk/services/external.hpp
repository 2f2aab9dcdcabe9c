#pragma once

// Data from outside of the model (berth/abi/external.h). Since ABI 1.3.
//
//   struct Load : sdk::Score<> {
//     sdk::Input<int64_t> epoch{*this, "cluster.epoch:com.example.load"};
//     ...
//   };
//   // In the plugin, which owns the thread that reads loads: sdk::Epoch(host, "com.example.load").

#include <cstdint>
#include <string_view>

#include "berth/abi/external.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

// A number that stands for data of the plugin. A default-constructed one may only be assigned to.
class Epoch : Service<berth_external_service> {
 public:
  Epoch() = default;
  // [init] Throws Failure if the host refuses it; the log says why.
  Epoch(Host host, std::string_view name)
      : Service(host, BERTH_EXTERNAL_SERVICE), number_(table_->epoch(host_, to_abi(name))) {
    if (number_ == 0) throw Failure(concat("the host refuses the epoch ", name));
  }
  // [any] The data are others now: hooks that declare cluster.epoch:NAME are asked again.
  void raise() const { table_->raise(host_, number_); }

 private:
  uint32_t number_ = 0;
};

class Waker : Service<berth_external_service> {
 public:
  Waker() = default;
  explicit Waker(Host host) : Service(host, BERTH_EXTERNAL_SERVICE) {}

  // [any] Pods that the plugin refused may fit now.
  void wake() const { table_->wake(host_); }
};

}  // namespace berth::sdk
