#include "engine/played/controllers/disruption/seen_scales.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::played {

// Names have no line breaks.
std::string SeenScales::key(const model::Controller& owner, std::string_view namespace_name) {
  std::string text(namespace_name);
  for (const std::string* part : {&owner.api_version, &owner.kind, &owner.name, &owner.uid})
    text.append("\n").append(*part);
  return text;
}

void SeenScales::add(const model::Controller& owner, std::string_view namespace_name) {
  const std::string of = key(owner, namespace_name);
  Seen& seen = seen_[of];
  seen.workload.uid = of;
  seen.workload.replicas = std::max(seen.workload.replicas, ++seen.pods);
}

void SeenScales::remove(const model::Controller& owner, std::string_view namespace_name) {
  const auto at = seen_.find(key(owner, namespace_name));
  BERTH_ASSERT(at != seen_.end());
  if (--at->second.pods == 0) seen_.erase(at);
}

void SeenScales::know(const std::string& object, const model::Controller& owner,
                      std::string_view namespace_name, int32_t replicas) {
  std::set<std::string>& owners = objects_[object];
  owners.insert(key(owner, namespace_name));
  for (const std::string& of : owners) {
    known_[of].uid = object;
    known_[of].replicas = replicas;
  }
}

void SeenScales::forget(const std::string& object) {
  const auto at = objects_.find(object);
  if (at == objects_.end()) return;
  for (const std::string& of : at->second) known_.erase(of);
  objects_.erase(at);
}

std::variant<const controllers::Workload*, std::string> SeenScales::of_owner(
    const model::Controller& owner, std::string_view namespace_name) const {
  const std::string of = key(owner, namespace_name);
  if (const auto known = known_.find(of); known != known_.end()) return &known->second;
  const auto at = seen_.find(of);
  return at == seen_.end() ? nullptr : &at->second.workload;
}

}  // namespace berth::played
