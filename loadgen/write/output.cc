#include "loadgen/write/output.h"

namespace berth::loadgen {

void LoadOutput::count_cluster(std::span<const ingest::Change> objects) {
  for (const auto& [operation, object] : objects) {
    counts_.nodes += std::holds_alternative<model::Node>(object);
    counts_.namespaces += std::holds_alternative<model::Namespace>(object);
    counts_.selector_owners += std::holds_alternative<model::SelectorOwner>(object);
    counts_.storage += std::holds_alternative<model::VolumeObject>(object) ||
                       std::holds_alternative<model::PodGroup>(object);
    counts_.placed += std::holds_alternative<ingest::TemplatePod>(object);
  }
}

}  // namespace berth::loadgen
