#pragma once

// Assigns the ids of a load's templates: 0, 1, 2 and so on, up to ingest::kMaxTemplateId.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "loadgen/play/load.h"

namespace berth::loadgen {

class TemplateNumbers {
 public:
  struct Template {
    uint32_t id = 0;
    std::shared_ptr<const model::PodSpec> spec;
  };

  // Adds a definition with the next id to `step` and returns the id, even if an equal spec has one.
  // Throws Error if a stream cannot number so many templates.
  uint32_t define(std::shared_ptr<const model::PodSpec> spec, LoadStep& step);

  // Returns the template with an equal spec that this function defined earlier, or defines a new
  // one. For loads that consist of whole pods (imports). Throws Error as define() does.
  Template find_or_define(model::PodSpec spec, LoadStep& step);

 private:
  uint32_t next_ = 0;
  boost::unordered_flat_map<uint64_t, std::vector<Template>> by_hash_;
};

}  // namespace berth::loadgen
