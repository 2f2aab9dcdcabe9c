#pragma once

// The pods and nodes of a cluster as they came. Extenders get these, where the input told them.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ingest/written/whole_object.h"
#include "engine/model/cluster/cluster.h"

namespace berth::extenders {

// Belongs to the thread that owns the model. Others may read while nothing is put.
class WholeObjects {
 public:
  // The cluster outlives it.
  explicit WholeObjects(const model::Cluster& cluster) : cluster_(cluster) {}

  // Takes objects, in place of those that it had under their keys. To be called before the model
  // learns of them, and after it learned of those before. Forgets objects that are gone, once there
  // are many.
  void put(std::span<const ingest::WholeObject> objects);

  // A pod's own object, or the template that it was made of. Null: neither is known.
  const ingest::WholeObject* of_pod(const model::PodRecord& pod) const;
  const ingest::WholeObject* of_node(std::string_view name) const;

  size_t size() const { return pods_.size() + nodes_.size() + templates_.size(); }

 private:
  static constexpr size_t kFirstLook = 4096;
  using Objects = std::unordered_map<std::string, ingest::WholeObject>;

  std::string key_of(const model::PodRecord& pod) const;
  std::string template_key_of(const model::PodRecord& pod) const;
  void put(const ingest::WholeObject& object);
  void collect();

  const model::Cluster& cluster_;
  Objects pods_, nodes_, templates_;  // by key
  size_t collect_at_ = kFirstLook;    // objects
};

}  // namespace berth::extenders
