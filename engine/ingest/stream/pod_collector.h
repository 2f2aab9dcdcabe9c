#pragma once

// Makes batches of pods that wait for a node and come one by one.

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/template_ids.h"

namespace berth::ingest {

// One thread. Pods with equal specs share a template, as write/waiting_pod.h says.
class PodCollector {
 public:
  // Requires: the pod has no node. `line`: in which it begins; 0: unknown.
  void add(model::Pod pod, uint32_t line);
  size_t size() const { return pods_.size(); }  // pods since the last hand_on()

  // Appends a batch of these pods, which arrive together, to `to`; before it one of the templates
  // that are new, and after it one of those that are retired. Nothing if there are no pods.
  void hand_on(std::deque<Batch>& to);

 private:
  TemplateIds ids_;
  std::vector<TemplateDefinition> definitions_;
  std::vector<TemplatePod> pods_;
  std::vector<uint32_t> lines_;  // in step with the pods
};

}  // namespace berth::ingest
