#pragma once

// The ids of a load's templates, dense from 0.

#include <cstdint>
#include <memory>

#include "loadgen/play/load.h"

namespace berth::loadgen {

class TemplateNumbers {
 public:
  // The next id, defined in this step. Throws Error when there are more than a stream can number.
  uint32_t define(std::shared_ptr<const model::PodSpec> spec, LoadStep& step);

 private:
  uint32_t next_ = 0;
};

}  // namespace berth::loadgen
