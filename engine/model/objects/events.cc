#include "engine/model/objects/events.h"

#include <algorithm>
#include <iterator>

namespace berth::model {
namespace {

// Both are sorted by key; where both have a key, the first one's value stays.
StringMap merged(const StringMap& first, const StringMap& second) {
  StringMap out;
  out.reserve(first.size() + second.size());
  std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(out),
                 [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

}  // namespace

Pod TemplatePod::pod() const {
  Pod out;
  out.name = name;
  out.namespace_name = namespace_name;
  out.uid = uid;
  out.controller = controller;
  out.spec = *spec;
  out.spec.node_name = node_name;
  out.spec.labels = merged(labels, spec->labels);
  out.phase = phase;
  out.nominated_node_name = nominated_node_name;
  out.terminating = terminating;
  out.preempted = preempted;
  out.started_at = started_at;
  return out;
}

void PodBatch::clear() {
  template_ids.clear();
  namespace_indices.clear();
  namespaces.clear();
  names.clear();
  uids.clear();
  nominated_nodes.clear();
  label_ends.clear();
  labels.clear();
  controllers.clear();
  controller_indices.clear();
}

}  // namespace berth::model
