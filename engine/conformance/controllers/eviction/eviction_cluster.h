#pragma once

// The cluster of a case of evictions: an API server's storage, its subresource `eviction`, the
// disruption controller, and kubelets whose containers use the whole grace period.
//
// Operations on objects that do not exist change nothing. One thread.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/conformance/controllers/eviction/eviction_objects.h"
#include "engine/controllers/disruption/disruption_controller.h"
#include "engine/controllers/disruption/graceful_deletion.h"

namespace berth::conformance {

class EvictionCluster final : private controllers::DisruptionWriter {
 public:
  using Name = std::pair<std::string, std::string>;  // namespace and name

  struct Pod : StoredPod {
    std::optional<controllers::PodDeletion> deletion{};
    std::optional<Time> leaves{};  // when its kubelet has it removed
    uint64_t version = 0;
    model::Labels labels{};  // of the object
  };

  EvictionCluster();

  void put_pod(StoredPod pod, Time now);
  void put_budget(const controllers::Budget& budget, Time now);
  void remove_budget(const Name& name);
  void put_workload(controllers::Workload workload) { scales_.put(std::move(workload)); }
  void scale(std::string_view kind, const Name& name, int32_t replicas);

  const Pod* find_pod(const Name& name) const;
  const controllers::Budget* find_budget(const Name& name) const;
  const std::map<Name, Pod>& pods() const { return pods_; }
  const std::map<Name, controllers::Budget>& budgets() const { return budgets_; }

  // `change` changes the pod; nothing happens if it leaves all as it is.
  template <typename Change>
  void change_pod(const Name& name, Time now, Change&& change) {
    const auto at = pods_.find(name);
    if (at == pods_.end()) return;
    Pod pod = at->second;
    change(pod);
    update(at->second, std::move(pod), now);
  }
  void delete_pod(const Name& name, std::optional<int64_t> grace_seconds, Time now);
  controllers::ApiStatus evict(const Name& name, const controllers::EvictionRequest& request,
                               Time now);

  // A controller that starts sees all objects as new ones, and one that stops forgets everything.
  void run_controller(bool running, Time now);

  // When a pod leaves, or the controller has something to do.
  std::optional<Time> next() const;
  // Removes the pods that leave.
  void run_kubelets(Time now);
  void settle(Time now);  // the controller does what is due
  // The pods that were removed since the last call.
  std::vector<Name> take_gone() { return std::exchange(gone_, {}); }

 private:
  class Target;

  void write_status(const controllers::Budget& budget) override;
  void clear_disruption_target(model::StringId namespace_name, model::StringId name) override;
  void update(Pod& stored, Pod pod, Time now);
  void remove(const Name& name, Time now);
  void tell(const Pod& pod, Time now);

  model::Strings strings_;
  model::LabelSelectors selectors_{strings_};
  controllers::Scales scales_;
  std::map<Name, Pod> pods_;
  std::map<Name, controllers::Budget> budgets_;
  std::vector<Name> gone_;
  uint64_t version_ = 0;                                         // of the last write
  Time now_{};                                                   // when the controller acts
  std::optional<controllers::DisruptionController> controller_;  // while it runs
};

}  // namespace berth::conformance
