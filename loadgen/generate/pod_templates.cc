#include "loadgen/generate/pod_templates.h"

#include "loadgen/generate/draws.h"
#include "loadgen/generate/nodes.h"

namespace berth::loadgen {

PodTemplates::PodTemplates(const WorkloadSpec& spec, uint64_t seed) : workload_(spec), seed_(seed) {
  for (const TemplateSpec& pod_template : spec.templates)
    ids_.emplace_back(pod_template.variants, kUndefined);
}

uint32_t PodTemplates::variant(uint32_t pod_template, uint64_t bits) const {
  return static_cast<uint32_t>(below(bits, workload_.templates[pod_template].variants));
}

std::shared_ptr<const model::PodSpec> PodTemplates::spec(uint32_t pod_template,
                                                         uint32_t variant) const {
  const TemplateSpec& from = workload_.templates[pod_template];
  auto spec = std::make_shared<model::PodSpec>(from.spec);
  for (size_t i = 0; i < from.requests.size(); ++i) {
    const auto& [resource, amount] = from.requests[i];
    const uint64_t number = uint64_t{variant} << 16 | i;
    const int64_t milli = amount.draw(drawn(seed_, For::kRequest, pod_template, number));
    set_amount(spec->containers.front().requests, resource, model::Quantity::from_milli(milli));
  }
  return spec;
}

uint32_t PodTemplates::id(uint32_t pod_template, uint32_t variant, LoadStep& step) {
  uint32_t& id = ids_[pod_template][variant];
  if (id == kUndefined) id = numbers_.define(spec(pod_template, variant), step);
  return id;
}

}  // namespace berth::loadgen
