#include "engine/ingest/volumes/default_class.h"

#include <algorithm>

namespace berth::ingest {

void DefaultClass::put(const model::VolumeObject& object) {
  const auto* of = std::get_if<model::StorageClass>(&object);
  if (of == nullptr) return;
  if (of->is_default) {
    created_at_[of->name] = of->created_at;
  } else {
    created_at_.erase(of->name);
  }
}

void DefaultClass::remove(const model::VolumeObject& object) {
  if (const auto* of = std::get_if<model::StorageClass>(&object)) created_at_.erase(of->name);
}

void DefaultClass::admit(model::PersistentVolumeClaim& claim) const {
  if (claim.has_class || created_at_.empty()) return;
  const auto newest = std::ranges::max_element(
      created_at_, {}, &std::pair<const std::string, int64_t>::second);  // the first by name
  claim.storage_class = newest->first;
  claim.has_class = true;
}

}  // namespace berth::ingest
