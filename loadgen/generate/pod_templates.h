#pragma once

// The templates of a workload's pods, as a stream has them: each variant of a template and each
// owner has one of its own, which is made when it is first needed.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/workload/workload_spec.h"
#include "loadgen/write/template_numbers.h"

namespace berth::loadgen {

class PodTemplates {
 public:
  // The workload is kept by the caller.
  PodTemplates(const WorkloadSpec& spec, uint64_t seed);

  // Which of a template's variants a pod or an owner is of; `bits` are random.
  uint32_t variant(uint32_t pod_template, uint64_t bits) const;
  // The id of that variant, defined in this step if it is new.
  uint32_t id(uint32_t pod_template, uint32_t variant, LoadStep& step);
  std::shared_ptr<const model::PodSpec> spec(uint32_t pod_template, uint32_t variant) const;
  // An id for a spec that nobody else has.
  uint32_t define(std::shared_ptr<const model::PodSpec> spec, LoadStep& step) {
    return numbers_.define(std::move(spec), step);
  }

 private:
  static constexpr uint32_t kUndefined = UINT32_MAX;

  const WorkloadSpec& workload_;
  uint64_t seed_;
  TemplateNumbers numbers_;
  std::vector<std::vector<uint32_t>> ids_;  // of the variants of each template
};

}  // namespace berth::loadgen
