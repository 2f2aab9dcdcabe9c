#pragma once

// Makes batches of pods that wait for a node and come one by one.
//
// Pods of one batch arrive together. A stream of lines and the frames made of it are to decide the
// same, so a batch of lines ends where a frame would be full.

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/template_ids.h"
#include "engine/ingest/stream/write/stream_pod_columns.h"

namespace berth::ingest {

// One thread. Pods with equal specs share a template, as write/waiting_pod.h says.
class PodCollector {
 public:
  // Requires: the pod has no node. `line`: in which it begins; 0: unknown. With `full`, hands the
  // pods before it on there if a frame of them has no more room, and large templates at once.
  void add(model::Pod pod, uint32_t line, std::deque<Batch>* full = nullptr);
  size_t size() const { return pods_.size(); }  // pods since the last hand_on()

  // Appends a batch of these pods, which arrive together, to `to`; before it one of the templates
  // that are new, and after it one of those that are retired. Nothing if there are no pods.
  void hand_on(std::deque<Batch>& to);

 private:
  bool has_room(const TemplatePod& pod);
  void hand_on_templates(std::deque<Batch>& to);

  TemplateIds ids_;
  PodColumnsBuilder frame_;      // how full a frame of these pods would be
  size_t definition_bytes_ = 0;  // of the identities of definitions_
  std::vector<TemplateDefinition> definitions_;
  std::vector<TemplatePod> pods_;
  std::vector<uint32_t> lines_;  // in step with the pods
};

}  // namespace berth::ingest
