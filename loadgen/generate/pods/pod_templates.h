#pragma once

// The pod templates of a generated load. A template of the workload has several variants, which
// differ in their drawn requests and runs, and exist with and without claims; each is defined in
// the stream when it is first used. Templates of owners are defined one by one.
//
// No specs are compared: (template, variant, claims) identifies a spec.

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
  PodTemplates(const WorkloadSpec& spec, uint64_t seed);  // `spec` must outlive this

  // The variant that 64 random bits select.
  uint32_t variant(uint32_t pod_template, uint64_t bits) const;
  // The stream's id of this variant. The first call adds the definition to `step`.
  uint32_t id(uint32_t pod_template, uint32_t variant, bool claims, LoadStep& step);
  // Builds the spec of a variant. `claims`: with a volume for each claim of the template, whose
  // claims are named apart.
  std::shared_ptr<const model::PodSpec> spec(uint32_t pod_template, uint32_t variant,
                                             bool claims) const;
  // Defines a template that is used by one owner only, and returns its id.
  uint32_t define(std::shared_ptr<const model::PodSpec> spec, LoadStep& step) {
    return numbers_.define(std::move(spec), step);
  }

 private:
  static constexpr uint32_t kUndefined = UINT32_MAX;

  const WorkloadSpec& workload_;
  uint64_t seed_;
  TemplateNumbers numbers_;
  // Numbers in the stream by template and twice the variant, and one more with claims; kUndefined
  // until first used.
  std::vector<std::vector<uint32_t>> ids_;
};

}  // namespace berth::loadgen
