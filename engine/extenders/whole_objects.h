#pragma once

// The pods and nodes of a cluster as they came. Extenders get these, and plugins the annotations of
// pods, where the input told them.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ingest/written/whole_object.h"
#include "engine/model/cluster/cluster.h"

namespace berth::extenders {

// Belongs to the thread that owns the model. Others may read while nothing is put.
class WholeObjects final : public model::PodAnnotations {
 public:
  // The parts that somebody reads. Others are not kept.
  struct Read {
    bool objects = false;
    bool annotations = false;
  };

  // The cluster outlives it.
  WholeObjects(model::Cluster& cluster, Read read) : cluster_(cluster), read_(read) {}

  bool reads_any() const { return read_.objects || read_.annotations; }

  // Takes objects, in place of those that it had under their keys. To be called before the model
  // learns of them, and after it learned of those before. Forgets objects that are gone, once there
  // are many.
  void put(std::span<const ingest::WholeObject> objects);

  // A pod's own object, or the template that it was made of. Null: neither is known.
  const ingest::WholeObject* of_pod(const model::PodRecord& pod) const;
  const ingest::WholeObject* of_node(std::string_view name) const;
  model::StringId annotation(const model::PodRecord& pod, model::StringId key) const override;

  size_t size() const { return pods_.size() + nodes_.size() + templates_.size(); }

 private:
  static constexpr size_t kFirstLook = 4096;
  struct Kept {
    ingest::WholeObject object;  // without what is not read
    // Keys and values, which are retained.
    std::vector<std::pair<model::StringId, model::StringId>> annotations;
  };
  using Objects = std::unordered_map<std::string, Kept>;

  std::string key_of(const model::PodRecord& pod) const;
  std::string template_key_of(const model::PodRecord& pod) const;
  void put(const ingest::WholeObject& object);
  const Kept* kept_of_pod(const model::PodRecord& pod) const;
  void put_annotations(const model::StringMap& annotations, Kept& kept);
  void release(Kept& kept);
  template <typename Gone>
  void forget(Objects& objects, Gone&& gone);
  void collect();

  model::Cluster& cluster_;
  const Read read_;
  Objects pods_, nodes_, templates_;  // by key
  size_t collect_at_ = kFirstLook;    // objects
};

}  // namespace berth::extenders
