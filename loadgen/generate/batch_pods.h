#pragma once

// Whole pods from the columns of steps.

#include <memory>
#include <vector>

#include "loadgen/play/load.h"

namespace berth::loadgen {

class BatchPods {
 public:
  // Keeps the templates of a step, for its pods and those of later steps.
  void define(const LoadStep& step);
  // Its template was defined.
  model::Pod pod(const ingest::PodBatch& pods, size_t i) const;

 private:
  std::vector<std::shared_ptr<const model::PodSpec>> templates_;  // by id
};

}  // namespace berth::loadgen
