#pragma once

// A loop in virtual time, for tests of what uses a Loop.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "engine/kube/loop.h"

namespace berth::kube {

class FakeLoop final : public Loop {
 public:
  static constexpr int64_t kWallAtStart = 1'700'000'000'000'000'000;  // wall() at time 0

  Time now() const override { return now_; }
  int64_t wall() const override { return kWallAtStart + now_.count(); }
  uint64_t at(Time time, std::function<void()> due) override;
  void cancel(uint64_t timer) override;

  // Lets so much time pass. Calls what is due until then, each at its time.
  void advance(Time time);
  // When the next timer is due; nothing: there is none.
  std::optional<Time> next() const;

 private:
  Time now_{};
  uint64_t last_timer_ = 0;
  std::map<std::pair<Time, uint64_t>, std::function<void()>> timers_;
};

}  // namespace berth::kube
