#pragma once

// The templates of a load: equal specs get one id, dense from 0, and are defined in the first step
// that uses them.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/write/template_numbers.h"

namespace berth::loadgen {

class TemplateBook {
 public:
  struct Entry {
    uint32_t id = 0;
    std::shared_ptr<const model::PodSpec> spec;
  };

  // The template of pods with this spec; of a new one the definition goes into the step. Throws
  // Error when there are more than a stream can number.
  Entry enter(model::PodSpec spec, LoadStep& step);

 private:
  TemplateNumbers numbers_;
  std::vector<std::shared_ptr<const model::PodSpec>> specs_;  // by id
  boost::unordered_flat_map<uint64_t, std::vector<uint32_t>> by_hash_;
};

}  // namespace berth::loadgen
