#pragma once

// Entries of the feature eviction-api. What changed is looked at half a second after the whole
// second in which something happened, as the recorder does, and noted with that second.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/time.h"
#include "engine/conformance/controllers/eviction/eviction_cluster.h"
#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

class EvictionEntries {
 public:
  explicit EvictionEntries(Entries& entries) : entries_(entries) {}

  void response(Time now, const std::string& pod, const controllers::ApiStatus& status);
  // The differences from the last look.
  void look(Time second, EvictionCluster& cluster);

 private:
  using Name = EvictionCluster::Name;
  using Seen =
      std::pair<std::optional<controllers::PodDeletion>, std::optional<controllers::Condition>>;

  void look_at(Time second, const Name& name, const controllers::Budget& budget);
  void look_at(Time second, const Name& name, const EvictionCluster::Pod& pod);

  Entries& entries_;
  std::map<Name, controllers::BudgetStatus> budgets_;
  std::map<Name, Seen> pods_;
};

}  // namespace berth::conformance
