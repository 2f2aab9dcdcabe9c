// Nominated pods that are in no queue: popped, and dropped because they terminate. kube-scheduler's
// nominator keeps such a pod, but finds nothing of it where it looks up pods, and counts an empty
// one in its place.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/cluster/cluster.h"

namespace berth::model {

void Cluster::empty_nomination(PodId id) {
  PodRecord& pod = pods_.at(id);
  if (!pod.nominated || pod.nominated_empty) return;
  const TemplateId empty = templates_.intern(PodSpec());
  const LabelSetId labels = templates_.label_set(Labels());
  const ShapeId shape = shapes_.of({empty, pod.namespace_name, labels, 0});
  shapes_.retain(shape);
  carried_.learn(shape);
  pod.nominated_empty = true;
  const Nomination by{{id, empty, shape, false}, 0};
  nodes_.replace_nomination(nodes_.slot(pod.nominated_node), by);
  nominated_.replace(by);
}

const Nomination& Cluster::nomination(const PodRecord& pod) const {
  const auto all = nodes_.nominations().at(nodes_.find(pod.nominated_node));
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Nomination& one) { return one.pod.pod == pod.id; });
  BERTH_ASSERT(at != all.end());
  return *at;
}

PodRecord Cluster::nominated_record(PodId id) const {
  PodRecord record = pods_[id];
  BERTH_ASSERT(record.nominated);
  if (!record.nominated_empty) return record;
  const PodShape& empty = shapes_[nomination(record).pod.shape];
  record.shape = nomination(record).pod.shape;
  record.pod_template = empty.pod_template;
  record.labels = empty.labels;
  record.controller = 0;
  record.priority = 0;
  record.terminating = false;
  return record;
}

}  // namespace berth::model
