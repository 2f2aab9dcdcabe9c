#pragma once

// The names of a load's objects. Internal to the player of scheduler_perf.

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "loadgen/scheduler_perf/plan/scheduler_perf_objects.h"

namespace berth::loadgen::scheduler_perf {

inline constexpr char kNodes[] = "node";  // where names of nodes are taken

// Knows which names are in use, and numbers generated names: nodes, pods and all other objects
// apart.
class ObjectNames {
 public:
  // Takes the name in `where`, for example a namespace. Returns false if it is in use. Generated
  // names are never in use.
  bool take(const Naming& naming, const std::string& where);
  void release(const std::string& name, const std::string& where);
  // The same for the name of a namespace.
  bool take_namespace(const std::string& name);
  void release_namespace(const std::string& name);

  // Return the name of a new object, and count it.
  std::string next_node(const Naming& naming);
  std::string next_pod(const Naming& naming);
  std::string next_object(const Naming& naming);

  // The number that the next node gets.
  uint64_t nodes() const { return next_node_; }
  // Counts so many pods. Returns the number of the first.
  uint64_t count_pods(int64_t count);

  // Takes the claim of the pod-th pod of an operation. Returns false if it is in use. Claims are
  // taken in ascending order.
  bool take_claim(const std::string& namespace_name, int64_t pod);

 private:
  uint64_t next_node_ = 0, next_pod_ = 0, next_object_ = 0;
  std::set<std::string> namespaces_;
  std::set<std::string> fixed_;  // names that are not numbered, with where they are taken
  std::map<std::string, int64_t> claimed_;  // number of claims, by namespace
};

}  // namespace berth::loadgen::scheduler_perf
