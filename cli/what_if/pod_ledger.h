#pragma once

// The fate of the pods of one run: of those of the cluster, too, which results leave out.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/model/cluster/cluster.h"
#include "engine/runtime/core.h"
#include "engine/runtime/report.h"

namespace berth::cli {

// A pod at the end of a run.
struct PodState {
  enum class Kind : uint8_t { kRuns, kPending, kLeaves };

  std::string name;   // namespace/name
  std::string owner;  // "KIND NAMESPACE/NAME" of its controller; empty: it has none
  Kind kind = Kind::kRuns;
  std::string node, zone;     // of one that runs; the zone may be empty
  std::string message;        // why one is pending; empty: it was not tried
  std::optional<Time> bound;  // in this run
};

// A pod that left its node.
struct PodLoss {
  std::string name, owner;
  std::string node;
  std::string reason;   // "EvictionByEvictionAPI"; "Preempted"; "deleted", if nobody evicted it
  std::string because;  // for people; may be empty
  Time at{};
};

// The core's thread.
class PodLedger {
 public:
  void watch(const runtime::Core& core);
  // From now on the pods that leave their nodes are kept.
  void begin_losses();
  void take(const runtime::Report& report);

  const std::vector<PodLoss>& losses() const { return losses_; }
  // Pods whose containers ended by themselves, namespace/name.
  const std::vector<std::string>& finished() const { return finished_; }
  // All pods that are there and that run or are to be scheduled here, in the order of their names.
  std::vector<PodState> pods() const;

 private:
  void lose(model::PodId pod, std::string_view reason, std::string because);
  void left(model::PodId pod);
  void refuse(model::PodId pod, std::string_view message);
  std::string owner_of(const model::PodRecord& pod) const;
  std::string node_of(model::Slot slot) const;

  const runtime::Core* core_ = nullptr;
  bool keeps_losses_ = false;
  std::vector<PodLoss> losses_;
  std::vector<std::string> finished_;
  boost::unordered_flat_map<uint64_t, size_t> lost_;         // by handle: in losses_
  boost::unordered_flat_map<uint64_t, model::Slot> placed_;  // by handle: of pods that may be lost
  boost::unordered_flat_map<uint64_t, Time> bound_;          // by handle
  boost::unordered_flat_map<uint64_t, uint32_t> refused_;    // by handle: in texts_
  std::vector<std::string> texts_;
  std::map<std::string, uint32_t, std::less<>> text_numbers_;
};

}  // namespace berth::cli
