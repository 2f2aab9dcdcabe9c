#include "engine/ingest/stream/cluster_objects.h"

namespace berth::ingest {
namespace {

template <typename T>
void add(const std::vector<T>& more, std::vector<T>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

// A kind that the part gets one day is a name that is missing here, which does not compile.
void append(const model::ClusterPart& part, Objects& objects) {
  const auto& [nodes, namespaces, pods, selector_owners, disruption_budgets, storage] = part;
  add(nodes, objects.nodes);
  add(namespaces, objects.namespaces);
  for (const model::TemplatePod& pod : pods) objects.pods.push_back(pod.pod());
  objects.pods_asked.resize(objects.pods.size());
  add(selector_owners, objects.selector_owners);
  add(disruption_budgets, objects.disruption_budgets);
  add(storage, objects.storage);
  objects.lines = {};
}

}  // namespace berth::ingest
