#pragma once

// Writes what the scheduler has to say into the status of pods: why a pod was not scheduled, and
// the node to which it is nominated.
//
// A patch has what changed of the condition since the last one for the pod, as kube-scheduler's
// has; nothing is sent if nothing changes. What was written is remembered for the latest pods. For
// one that is forgotten, or whose patch failed, the condition is written as a whole, and its
// transition counts from then.
//
// One patch for a pod is under way at a time. What is to be written meanwhile waits, and is merged:
// the later condition and the later nomination count.
//
// The patch names the UID, as the kubelet's does, so that it does not change another pod of the
// same name.

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/kube/writes/pod_name.h"
#include "engine/kube/writes/sender.h"

namespace berth::kube {

// The condition PodScheduled, which is False.
struct UnscheduledCondition {
  bool failed = false;  // reason SchedulerError; else Unschedulable
  std::string message;
  std::optional<int64_t> observed_generation{};
  bool operator==(const UnscheduledCondition&) const = default;
};

// The changes; at least one is there.
struct StatusChange {
  std::optional<UnscheduledCondition> condition{};
  std::optional<std::string> nominated_node{};  // empty: it is cleared
};

// One thread, that of the loop.
class Statuses {
 public:
  // Called once for each write, from the loop. `error`: empty if the status is as it was to be, or
  // the pod is gone; else why it was not written, any text.
  using Written = std::function<void(uint64_t number, const std::string& error)>;

  // `sender` outlives it. `remembered`: pods whose last patch is known.
  Statuses(Sender& sender, Written written, size_t remembered = 20'000)
      : sender_(sender), written_(std::move(written)), remembered_(remembered) {}

  // `number` is the caller's, for the answer.
  void write(uint64_t number, const PodName& pod, StatusChange change);

 private:
  struct Entry {
    PodName pod;
    std::optional<UnscheduledCondition> known{};  // as the server has it
    StatusChange next{}, now{};                   // to be written; being written
    std::vector<uint64_t> next_numbers{}, now_numbers{};
    std::string body{};                       // of the patch being written
    uint32_t tries = 0;                       // of it that failed
    bool busy = false;                        // a job is with the sender
    std::list<std::string>::iterator idle{};  // in idle_, unless busy
  };

  Job job(const std::string& key);
  std::optional<Request> make(Entry& entry);
  void answered(const std::string& key, const Outcome& outcome);
  void settle(const std::string& key, Entry& entry, bool known, const std::string& error);

  Sender& sender_;
  Written written_;
  size_t remembered_;
  std::unordered_map<std::string, Entry> entries_;
  std::list<std::string> idle_;  // keys, the latest written last
};

}  // namespace berth::kube
