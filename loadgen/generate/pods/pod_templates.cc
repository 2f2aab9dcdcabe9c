#include "loadgen/generate/pods/pod_templates.h"

#include <fmt/format.h>

#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {
namespace {

model::ContainerRun run_of(const RunsSpec& runs, uint64_t seed, uint32_t pod_template,
                           uint32_t variant) {
  const bool fails =
      runs.fails == UINT64_MAX || drawn(seed, For::kRunFails, pod_template, variant) < runs.fails;
  return {runs.lasting.draw(drawn(seed, For::kRun, pod_template, variant)), fails ? 1 : 0};
}

}  // namespace

PodTemplates::PodTemplates(const WorkloadSpec& spec, uint64_t seed) : workload_(spec), seed_(seed) {
  for (const TemplateSpec& pod_template : spec.templates)
    ids_.emplace_back(size_t{pod_template.variants} * 2, kUndefined);
}

uint32_t PodTemplates::variant(uint32_t pod_template, uint64_t bits) const {
  return static_cast<uint32_t>(below(bits, workload_.templates[pod_template].variants));
}

std::shared_ptr<const model::PodSpec> PodTemplates::spec(uint32_t pod_template, uint32_t variant,
                                                         bool claims) const {
  const TemplateSpec& from = workload_.templates[pod_template];
  auto spec = std::make_shared<model::PodSpec>(from.spec);
  for (size_t i = 0; i < from.requests.size(); ++i) {
    const auto& [resource, amount] = from.requests[i];
    const uint64_t number = uint64_t{variant} << 16 | i;
    const int64_t milli = amount.draw(drawn(seed_, For::kRequest, pod_template, number));
    set_amount(spec->containers.front().requests, resource, model::Quantity::from_milli(milli));
  }
  if (from.runs) spec->run = run_of(*from.runs, seed_, pod_template, variant);
  for (uint32_t i = 0; claims && i < from.claims->each; ++i) {
    model::PodVolume volume;
    volume.is_claim = true;
    volume.claim = fmt::format("data-{}", i);
    spec->volumes.push_back(std::move(volume));
  }
  return spec;
}

uint32_t PodTemplates::id(uint32_t pod_template, uint32_t variant, bool claims, LoadStep& step) {
  uint32_t& id = ids_[pod_template][size_t{variant} * 2 + (claims ? 1 : 0)];
  if (id == kUndefined) id = numbers_.define(spec(pod_template, variant, claims), step);
  return id;
}

}  // namespace berth::loadgen
