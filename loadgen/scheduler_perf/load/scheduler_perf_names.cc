#include "loadgen/scheduler_perf/load/scheduler_perf_names.h"

#include <utility>

namespace berth::loadgen::scheduler_perf {

bool ObjectNames::take(const Naming& naming, const std::string& where) {
  return naming.generated || fixed_.insert(where + "/" + naming.text).second;
}

void ObjectNames::release(const std::string& name, const std::string& where) {
  fixed_.erase(where + "/" + name);
}

bool ObjectNames::take_namespace(const std::string& name) {
  return namespaces_.insert(name).second;
}

void ObjectNames::release_namespace(const std::string& name) { namespaces_.erase(name); }

std::string ObjectNames::next_node(const Naming& naming) {
  return numbered_name(naming, next_node_++);
}

std::string ObjectNames::next_pod(const Naming& naming) {
  return numbered_name(naming, next_pod_++);
}

std::string ObjectNames::next_object(const Naming& naming) {
  return numbered_name(naming, next_object_++);
}

uint64_t ObjectNames::count_pods(int64_t count) {
  return std::exchange(next_pod_, next_pod_ + static_cast<uint64_t>(count));
}

// A claim that an earlier operation made in the namespace stays, as upstream, which takes it that
// an object exists for one that it made.
bool ObjectNames::take_claim(const std::string& namespace_name, int64_t pod) {
  int64_t& claimed = claimed_[namespace_name];
  if (pod < claimed) return false;
  claimed = pod + 1;
  return true;
}

}  // namespace berth::loadgen::scheduler_perf
