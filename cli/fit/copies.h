#pragma once

// The fate of the copies: which pods each has, where they are, and what stops the next one.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/runtime/report.h"

namespace berth::cli {

// Why no more copies are made.
struct CopiesEnd {
  enum class Why : uint8_t {
    kNone,           // nothing stops them
    kCount,          // as many were made as were asked for
    kUnschedulable,  // no node takes a pod
    kFailed,         // a plugin failed
    kGated,          // a plugin keeps a pod out of the queue
    kIgnored,        // no profile has the pod's scheduler name
    kRefused,        // admission refuses a pod
  };

  Why why = Why::kNone;
  size_t unit = 0;                          // of which no more copy fits
  std::string message;                      // as the event of the pod has it
  std::map<std::string, uint64_t> reasons;  // nodes by reason, of an unschedulable pod

  bool is_limit() const { return why > Why::kCount; }
};
// "unschedulable"
const char* why_name(CopiesEnd::Why why);

class Copies {
 public:
  struct Copy {
    uint32_t unit = 0;
    uint32_t first = 0;  // of the pods that arrived
    uint32_t pods = 0;
  };

  // `waits`: a pod that is nominated to a node waits for it.
  explicit Copies(bool waits) : waits_(waits) {}

  // The next pods that arrive are those of such a copy.
  void begin(size_t unit, uint64_t pods) {
    refusal_ = {};
    all_.push_back(
        {static_cast<uint32_t>(unit), static_cast<uint32_t>(begun_), static_cast<uint32_t>(pods)});
    evicted_before_ = evicted_;
    begun_ += pods;
  }
  // Nothing arrives of a copy of this unit; those before are decided. A copy of these that does not
  // fit counts instead.
  void end(CopiesEnd::Why why, size_t unit, std::string message);
  // The last copy gets no node: its refusal is the end.
  void give_up();
  void take(const runtime::Report& report);

  // True if a copy does not fit: the run may stop.
  bool stopped() const { return stopped_; }
  const CopiesEnd& end() const { return end_; }
  const std::vector<Copy>& all() const { return all_; }
  // All pods of the copy are on nodes.
  bool is_whole(const Copy& copy, const model::Cluster& cluster) const;
  // Some pod of the copy is on a node.
  bool is_begun(const Copy& copy, const model::Cluster& cluster) const;
  // The node of a pod of the copy. Precondition: is_whole(copy).
  model::Slot node(const Copy& copy, size_t pod, const model::Cluster& cluster) const {
    return cluster.pod(pods_[copy.first + pod]).slot;
  }
  uint64_t evicted() const { return evicted_; }
  // Grows when a pod is bound or evicted.
  uint64_t changes() const { return changes_; }
  // True if pods were evicted since the last copy began.
  bool evicts() const { return evicted_ != evicted_before_; }

 private:
  void stop(CopiesEnd::Why why, model::PodId pod, std::string message,
            std::map<std::string, uint64_t> reasons = {});
  size_t unit_of(model::PodId pod) const;
  bool is_on_node(size_t pod, const model::Cluster& cluster) const;

  const bool waits_;
  std::vector<Copy> all_;
  std::vector<model::PodId> pods_;  // in the order of their arrival, which is that of the copies
  uint64_t begun_ = 0;              // pods
  uint64_t evicted_ = 0, evicted_before_ = 0;  // in all; when the last copy began
  uint64_t changes_ = 0;
  bool stopped_ = false;
  CopiesEnd end_;
  CopiesEnd refusal_;  // the last one of the last copy
};

}  // namespace berth::cli
