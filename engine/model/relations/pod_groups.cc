#include "engine/model/relations/pod_groups.h"

#include "engine/base/assert.h"

namespace berth::model {

bool PodGroups::put(const PodGroup& object) {
  if (label_ == 0) label_ = strings_.intern("scheduling.x-k8s.io/pod-group");
  const StringId namespace_name = strings_.intern_counted(object.namespace_name);
  const StringId name = strings_.intern_counted(object.name);
  Group& group = groups_[key(namespace_name, name)];
  group.min_member = object.min_member;
  group.created_at = object.created_at;
  group.timeout_seconds = object.timeout_seconds;
  if (group.number != 0) return false;
  group.number = ++numbers_;
  strings_.retain(namespace_name);
  strings_.retain(name);
  return ++present_ == 1;
}

bool PodGroups::remove(std::string_view namespace_name, std::string_view name) {
  const StringId in = strings_.find(namespace_name);
  const StringId of = strings_.find(name);
  const auto at = groups_.find(key(in, of));
  if (at == groups_.end() || at->second.number == 0) return false;
  strings_.release(in);
  strings_.release(of);
  if (at->second.placed == 0) {
    groups_.erase(at);
  } else {
    at->second = {.placed = at->second.placed};
  }
  if (--present_ == 0) groups_.clear();
  return true;
}

const PodGroups::Group* PodGroups::find(StringId namespace_name, const Labels& labels) const {
  if (empty()) return nullptr;
  const StringId name = label_value(labels, label_);
  if (name == 0) return nullptr;
  const auto at = groups_.find(key(namespace_name, name));
  return at == groups_.end() || at->second.number == 0 ? nullptr : &at->second;
}

void PodGroups::count(StringId namespace_name, const Labels& labels, int64_t change) {
  BERTH_ASSERT(!empty());
  const StringId name = label_value(labels, label_);
  if (name == 0) return;
  const auto at = groups_.try_emplace(key(namespace_name, name)).first;
  at->second.placed += change;
  BERTH_ASSERT(at->second.placed >= 0);
  if (at->second.placed == 0 && at->second.number == 0) groups_.erase(at);
}

}  // namespace berth::model
