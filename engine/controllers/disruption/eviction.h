#pragma once

// The subresource `eviction` of pods: a request in, writes and a response out. Source:
// pkg/registry/core/pod/storage/eviction.go.
//
// A request is answered at once. Kubernetes tries a conflict on a pod that no budget protects again
// for ten seconds: here it is answered as it would be if nothing changed until then.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/conditions.h"
#include "engine/controllers/disruption/budget.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

// A request. All members but `pod` and `dry_run` are those of its deleteOptions.
struct EvictionRequest {
  std::string pod;       // its name
  bool dry_run = false;  // of the request or of the deleteOptions
  std::optional<int64_t> grace_seconds{};
  std::optional<std::string> uid{}, resource_version{};  // preconditions
};

// The parts of a pod that a request reads.
struct EvictablePod {
  std::string uid, resource_version;
  model::PodPhase phase = model::PodPhase::kUnknown;
  bool ready = false;        // condition Ready is True
  bool terminating = false;  // it has a deletion timestamp
  bool finished() const {
    return phase == model::PodPhase::kSucceeded || phase == model::PodPhase::kFailed;
  }
};

// The API server's storage, as far as it concerns the pod of a request. What is written is read at
// once.
class EvictionTarget {
 public:
  virtual ~EvictionTarget() = default;

  virtual std::optional<EvictablePod> read() const = 0;  // nothing: there is no such pod
  // Those that select the pod, valid until the next write.
  virtual std::vector<const Budget*> budgets() const = 0;
  // The budget's disrupted pods, allowed disruptions and condition have changed.
  virtual void write_status(const Budget& budget) = 0;
  // Puts the condition of the pod, as put() does (conditions.h).
  virtual void put_condition(Condition condition) = 0;
  // Deletes the pod (graceful_deletion.h).
  virtual void remove(std::optional<int64_t> grace_seconds) = 0;
};

// A metav1.Status. What is empty or 0 is left out.
struct ApiStatus {
  struct Cause {
    std::string reason, message;
    bool operator==(const Cause&) const = default;
  };

  int32_t code = 0;  // of HTTP, too
  std::string reason{}, message{};
  std::string group{}, kind{}, name{};  // details
  std::vector<Cause> causes{};
  int32_t retry_after_seconds = 0;

  bool success() const { return code < 400; }
  bool operator==(const ApiStatus&) const = default;
};

ApiStatus evict(const EvictionRequest& request, EvictionTarget& target, Time now);

}  // namespace berth::controllers
