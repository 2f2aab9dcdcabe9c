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
  kPreBindPreFlight,
  kSign,
};
inline constexpr size_t kTimedPoints = 14;

// Why a batch (batches/batch.h) names no node for a pod.
enum class BatchMiss : uint8_t {
  kNone,         // it names one
  kEmpty,        // it has no nodes
  kSkipped,      // other pods left the queue since
  kOtherPod,     // the pod is not equal to those before
  kExpired,      // it is too old
  kNodeMissing,  // the node of the pod before is gone
  kNodeNotFull,  // that node takes the pod, too
};

// What a decision with a node leaves for the next pod.
enum class BatchEnd : uint8_t {
  kServed,        // the pod has the node that the batch named; the other nodes stay
  kKept,          // nodes that were scored beside the pod's own
  kNoNodes,       // nothing: there was no other node
  kNotComparable  // nothing: the pod cannot be compared with others
};

class PointWatch {
 public:
  virtual ~PointWatch() = default;

  // The machine's time, since any moment. Never goes back. Any thread.
  virtual Time now() = 0;
  // The plugins of the point, which are not none, were asked about a pod of the profile. `code`: a
  // BERTH_ code, how the point ended. On the thread that owns the model.
  virtual void asked(TimedPoint point, const Profile& profile, uint8_t code, Time took) = 0;
  // The batch of the profile was asked for the node of a pod. As asked().
  virtual void batch_asked(const Profile& profile, BatchMiss miss, Time took) {
    static_cast<void>(profile), static_cast<void>(miss), static_cast<void>(took);
  }
  // A pod has a node, and the batch was told. `named`: the batch had named one for it. As asked().
  virtual void batch_told(const Profile& profile, bool named, BatchEnd end, Time took) {
    static_cast<void>(profile), static_cast<void>(named), static_cast<void>(end);
    static_cast<void>(took);
  }
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
