#pragma once

// The service of pods that wait in Permit: a test says which wait, and reads what a plugin asked.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "berth/abi/bind.h"

namespace berth::plugins::testing {

class FakeWaiting {
 public:
  FakeWaiting();

  const berth_waiting_service& service() const { return service_; }

  // Pods that wait, in order. A pod that is allowed or refused leaves the list.
  std::vector<uint64_t> pods;
  std::vector<uint64_t> allowed;
  std::vector<std::pair<uint64_t, std::string>> rejected;  // with the reason
  std::vector<uint64_t> activated;

 private:
  // False: the pod does not wait.
  bool leave(uint64_t pod);

  berth_waiting_service service_{};
};

}  // namespace berth::plugins::testing
