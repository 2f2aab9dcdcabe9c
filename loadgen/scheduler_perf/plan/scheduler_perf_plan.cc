#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>
#include <utility>

#include "loadgen/generate/cluster/nodes.h"

namespace berth::loadgen::scheduler_perf {
namespace {

// A volume of a pod whose claim is named apart.
model::PodVolume one_claim() {
  model::PodVolume volume;
  volume.is_claim = true;
  volume.claim = claim_name(0);
  return volume;
}

}  // namespace

std::string claim_name(int64_t number) { return fmt::format("pvc-{}", number); }

std::string Templates::resolve(const std::string& path) const {
  return (std::filesystem::path(folder_) / path).lexically_normal().string();
}

std::shared_ptr<const ObjectTemplate> Templates::get(const TemplatePath& path) {
  const std::string resolved = resolve(path.path);
  std::shared_ptr<const ObjectTemplate>& kept = templates_[resolved];
  if (kept) return kept;
  std::string text;
  try {
    text = read_(resolved);
  } catch (const Error& error) {
    Place place = path.where.place();
    place.field = path.where.path();
    throw Error(std::move(place), fmt::format("the template cannot be read: {}", error.what()));
  }
  kept = std::make_shared<const ObjectTemplate>(std::move(text), resolved);
  return kept;
}

std::vector<std::string> Templates::files() const {
  std::vector<std::string> files;
  for (const auto& [file, read] : templates_) files.push_back(file);
  return files;
}

TemplateValues PlanOp::values_of(int64_t number) const {
  TemplateValues all = values;
  all["Index"] = static_cast<double>(number);
  all["Count"] = static_cast<double>(count);
  return all;
}

NodeSample PlanOp::node(int64_t number) const {
  NodeSample sample = object ? object->node(values_of(number)) : base_node(index);
  for (const auto& [resource, amount] : std::get<CreateNodes>(op->action).allocatable)
    set_amount(sample.node.allocatable, resource, amount);
  return sample;
}

PodSample PlanOp::pod(int64_t number) const {
  if (std::holds_alternative<CreatePods>(op->action)) {
    PodSample sample = object ? object->pod(values_of(number)) : base_pod();
    // Upstream replaces all volumes.
    if (own_volume) sample.pod.spec.volumes = {one_claim()};
    return sample;
  }
  AnySample sample = any(number);
  if (auto* pod = std::get_if<PodSample>(&sample)) return std::move(*pod);
  throw Error(op->where.place(), "a createAny must make objects of one kind");
}

// As upstream: bound to each other, and without a UID in the volume's reference.
OwnVolume PlanOp::volume_of(int64_t number) const {
  OwnVolume made = *own_volume;
  auto& [volume, claim] = made;
  const std::string handle = fmt::format("vol-{}", number);
  volume.name = namespace_name + "-" + handle;
  volume.has_claim = true;
  volume.claim_namespace = namespace_name;
  volume.claim_name = claim_name(number);
  volume.claim_uid.clear();
  if (!volume.csi_driver.empty()) {
    volume.csi_handle = handle;
  } else if (volume.plugin == "kubernetes.io/aws-ebs") {
    volume.plugin_handle = handle;
  }
  claim.namespace_name = namespace_name;
  claim.name = volume.claim_name;
  claim.volume_name = volume.name;
  return made;
}

AnySample PlanOp::any(int64_t number) const { return object->any(values_of(number), false); }

bool PlanOp::varies_in_kind() const {
  return count > 1 && object && object->varies_in_kind(values_of(0));
}

bool PlanOp::has_too_many_kinds() const { return count > kMostKinds && varies_in_kind(); }

std::vector<int64_t> PlanOp::kinds() const {
  if (count == 0) return {};
  if (!varies_in_kind()) return {0};
  if (count > kMostKinds) return {0, count - 1};
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace berth::loadgen::scheduler_perf
