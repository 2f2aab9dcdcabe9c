#pragma once

// When a plugin's process is started again after it ended. The first two times the next call
// starts it. If it goes on to end, pauses grow on the run's clock, as those of a kubelet between
// starts of a container that crashes: the numbers are those of Kubernetes, pkg/kubelet
// (MaxContainerBackOff, and a container that ran for twice as long starts anew).

#include <cstdint>

namespace berth::isolation {

// Times are nanoseconds of the run's clock. One thread at a time.
class RestartPace {
 public:
  static constexpr int64_t kSecond = 1'000'000'000;
  static constexpr uint32_t kAtOnce = 2;  // endings in a row without a pause
  static constexpr int64_t kFirstPause = kSecond;
  static constexpr int64_t kLongestPause = 300 * kSecond;
  // Without an ending for as long, the next one is the first again.
  static constexpr int64_t kForgotten = 600 * kSecond;

  // The process has ended.
  void ended(int64_t at);
  // As if it had never ended.
  void forget() { *this = {}; }

  uint32_t in_a_row() const { return in_a_row_; }
  bool pauses_at(int64_t now) const { return in_a_row_ > kAtOnce && now < until(); }
  // The end of the pause. Precondition: in_a_row() > kAtOnce.
  int64_t until() const;

 private:
  uint32_t in_a_row_ = 0;
  int64_t last_ = 0;  // ending
};

}  // namespace berth::isolation
