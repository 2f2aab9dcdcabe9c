#pragma once

// The messages of the network's thread to the owner of the core, in the order of arrival.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/kube/api/object_reader.h"
#include "engine/kube/reflector/listing.h"
#include "engine/kube/writes/pod_name.h"
#include "engine/runtime/server.h"

namespace berth::service {

// The outcome for the service itself.
enum class Word : uint8_t {
  kSynced,   // all lists of the cluster came
  kLeading,  // this process may write from now on
  kLost,     // it may not any more
  kEnd,      // it was asked to end
  kDump,     // it was asked to show and check its state
};

// A fresh list of the API server, which was asked for.
struct Listed {
  std::vector<kube::ListedObject> nodes, pods;
  std::string fault;  // not empty: why there is no list; printable
};

// The server did not take a write of a pod's status, by the number of Outbox::write.
struct StatusFailed {
  uint64_t number = 0;
};

// All evictions for the pod are answered, and some failed.
struct PreemptionFailed {
  kube::PodName preemptor;
};

using Item = std::variant<std::vector<kube::Watched>, runtime::BindingAnswer, Word, Listed,
                          StatusFailed, PreemptionFailed>;

class Inbox {
 public:
  // Any thread.
  void put(Item item);

  // The owner's. True if take() returns anything.
  bool waits() const;
  std::vector<Item> take();
  // Returns when anything waits, or at that time; nothing: no time.
  void wait_until(std::optional<std::chrono::steady_clock::time_point> until);

 private:
  mutable Mutex mutex_;
  std::condition_variable_any came_;
  std::vector<Item> items_ BERTH_GUARDED_BY(mutex_);
};

}  // namespace berth::service
