#pragma once

// Tells how long extension points take, for metrics. Where nobody watches, a point costs a test of
// a pointer. Points and their ends are those of kube-scheduler's framework.go: from the first of
// its plugins to the last, for one pod.

#include <cstdint>

#include "engine/base/time.h"

namespace berth::framework {

class Profile;

enum class TimedPoint : uint8_t {
  kPreEnqueue,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kReserve,
  kUnreserve,
  kPermit,
  kPreBind,
  kBind,
  kPostBind,
};
inline constexpr size_t kTimedPoints = 12;

class PointWatch {
 public:
  virtual ~PointWatch() = default;

  // The machine's time, since any moment. Never goes back. Any thread.
  virtual Time now() = 0;
  // The plugins of the point, which are not none, were asked about a pod of the profile. `code`: a
  // BERTH_ code, how the point ended. On the thread that owns the model.
  virtual void asked(TimedPoint point, const Profile& profile, uint8_t code, Time took) = 0;
};

// One time at a point, from here on. Null: nobody watches.
class PointTimer {
 public:
  explicit PointTimer(PointWatch* watch) : watch_(watch) {
    if (watch_ != nullptr) [[unlikely]]
      begun_ = watch_->now();
  }
  // The point is over. Tells nothing if it has no `hooks`. `code` is called for the code.
  template <typename Hooks, typename Code>
  void end(TimedPoint point, const Profile& profile, const Hooks& hooks, Code&& code) const {
    if (watch_ == nullptr) [[likely]]
      return;
    if (!hooks.empty()) watch_->asked(point, profile, code(), watch_->now() - begun_);
  }

 private:
  PointWatch* const watch_;
  Time begun_{};
};

}  // namespace berth::framework
