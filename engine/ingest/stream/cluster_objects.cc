#include "engine/ingest/stream/cluster_objects.h"

#include <variant>

namespace berth::ingest {

void append(std::span<const model::Change> cluster, Objects& objects) {
  for (const model::Change& change : cluster) {
    if (const auto* pod = std::get_if<model::TemplatePod>(&change.object)) {
      objects.pods.push_back(pod->pod());
    } else {
      objects.others.push_back(change);
    }
  }
  objects.pods_asked.resize(objects.pods.size());
  objects.lines = {};
}

}  // namespace berth::ingest
