#pragma once

// Evicts victims of preemption: a condition of the pod tells why, then it is deleted.
//
// kube-scheduler gives up on other errors than those of PatchPodStatus. Here whatever may pass is
// tried again for about a minute, so that a victim is not left half evicted.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/kube/writes/pod_name.h"
#include "engine/kube/writes/sender.h"

namespace berth::kube {

struct Eviction {
  uint64_t number = 0;  // the caller's, for the answer
  PodName victim;
  std::string scheduler;  // spec.schedulerName of the pod that preempts
  std::optional<int64_t> observed_generation{};
};

struct EvictionResult {
  enum class Kind : uint8_t {
    kDeleted,  // by this eviction
    kGone,     // the victim was not there any more, or is another pod
    kFailed,
  } kind = Kind::kDeleted;
  std::string message{};  // of kFailed: why; any text
};

// One thread, that of the loop.
class Evictions {
 public:
  // Called once for each eviction, from the loop.
  using Evicted = std::function<void(uint64_t number, const EvictionResult&)>;

  // `sender` outlives it.
  Evictions(Sender& sender, Evicted evicted) : sender_(sender), evicted_(std::move(evicted)) {}

  void evict(const Eviction& eviction);

 private:
  struct One {
    Eviction eviction;
    std::string condition{};  // the body of the patch, once it was made
    bool told = false;        // the condition is written
    uint32_t tries = 0;       // of the request at hand that failed
  };
  using Shared = std::shared_ptr<One>;

  Job job(const Shared& one);
  Request make(One& one) const;
  void answered(const Shared& one, const Outcome& outcome);
  void answer(const One& one, EvictionResult::Kind kind, std::string message = {});

  Sender& sender_;
  Evicted evicted_;
};

}  // namespace berth::kube
