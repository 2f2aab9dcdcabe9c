#pragma once

// PodGroups (scheduling.x-k8s.io/v1alpha1), and how many of their pods have nodes. A pod names its
// group, of its namespace, by the label scheduling.x-k8s.io/pod-group.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string_view>

#include "engine/model/columns/strings.h"
#include "engine/model/objects/labels.h"
#include "engine/model/objects/pod_group.h"

namespace berth::model {

// Nothing is counted while there are no groups. One thread changes it; any thread may read while
// nobody does.
class PodGroups {
 public:
  struct Group {
    int64_t number = 0;  // in the order in which groups were added, from 1; 0: it does not exist
    int64_t min_member = 0;
    int64_t created_at = 0;       // nanoseconds since 1970; 0: not known
    int64_t timeout_seconds = 0;  // spec.scheduleTimeoutSeconds; 0: not set
    int64_t placed = 0;           // pods that name it and have a node
  };

  explicit PodGroups(Strings& strings) : strings_(strings) {}

  // Adds the group, or replaces the one of its name, which keeps its number. True if there were no
  // groups before: then pod_comes() has to be called for all pods that have nodes.
  bool put(const PodGroup& object);
  bool remove(std::string_view namespace_name, std::string_view name);  // false: there is none
  bool empty() const { return present_ == 0; }

  // The group that a pod of this namespace with these labels names; null: it names none, or the
  // group does not exist.
  const Group* find(StringId namespace_name, const Labels& labels) const;

  // The pod has a node, or has it no more. Precondition: not empty().
  void pod_comes(StringId namespace_name, const Labels& labels) {
    count(namespace_name, labels, 1);
  }
  void pod_goes(StringId namespace_name, const Labels& labels) {
    count(namespace_name, labels, -1);
  }

 private:
  static uint64_t key(StringId namespace_name, StringId name) {
    return uint64_t{namespace_name} << 32 | name;
  }
  void count(StringId namespace_name, const Labels& labels, int64_t change);

  Strings& strings_;
  StringId label_ = 0;  // the label's key; 0: there was no group yet
  uint64_t present_ = 0;
  int64_t numbers_ = 0;
  // Groups that exist, whose names are retained, and those that pods with nodes name.
  boost::unordered_flat_map<uint64_t, Group> groups_;
};

}  // namespace berth::model
