#pragma once

// Turns the pod columns of load steps back into whole pods, for JSON output and tests.

#include <memory>
#include <vector>

#include "loadgen/play/load.h"

namespace berth::loadgen {

class BatchPods {
 public:
  // Keeps the templates that a step defines, for the pods of this and later steps.
  void define(const LoadStep& step);
  // The i-th pod of a batch. Requires: define() was called with its template.
  model::Pod pod(const ingest::PodBatch& pods, size_t i) const;

 private:
  std::vector<std::shared_ptr<const model::PodSpec>> templates_;  // by id
};

}  // namespace berth::loadgen
