#include "loadgen/generate/pods/pod_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/model/columns/strings.h"
#include "engine/model/objects/names.h"
#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {
namespace {

constexpr char kDelayed[] = "delayed";
constexpr char kImmediate[] = "immediate";

ClaimKind kind_of(const ClaimsSpec& spec, uint64_t bits) {
  const uint64_t sum = std::accumulate(spec.weights.begin(), spec.weights.end(), uint64_t{0});
  uint64_t at = below(bits, sum);
  size_t i = 0;
  for (; at >= spec.weights[i]; ++i) at -= spec.weights[i];
  return static_cast<ClaimKind>(i);
}

}  // namespace

bool PodClaims::has(uint32_t pod_template, std::string_view name) const {
  const std::optional<ClaimsSpec>& claims = spec_.templates[pod_template].claims;
  if (!claims) return false;
  return claims->share == UINT64_MAX ||
         drawn(seed_, For::kClaims, pod_template, model::Strings::hash(name)) < claims->share;
}

std::string PodClaims::name(std::string_view pod, uint32_t number) {
  return fmt::format("data-{}-{}", number, pod);
}

std::vector<model::VolumeObject> PodClaims::make(uint32_t pod_template,
                                                 const std::string& namespace_name,
                                                 std::string_view pod,
                                                 std::optional<uint64_t> node) const {
  const ClaimsSpec& spec = *spec_.templates[pod_template].claims;
  // Of one pod, all volumes reach the same nodes, or it would fit nowhere.
  const uint64_t nodes = spec_.cluster.nodes();
  const uint64_t bits = drawn(seed_, For::kVolumePlace, pod_template, model::Strings::hash(pod));
  const uint64_t place = node.value_or(nodes == 0 ? 0 : below(bits, nodes));
  std::vector<model::VolumeObject> made;
  for (uint32_t i = 0; i < spec.each; ++i) {
    model::PersistentVolumeClaim claim;
    claim.namespace_name = namespace_name;
    claim.name = name(pod, i);
    const uint64_t number = model::Strings::hash(claim.name);
    const auto draw = [&](For what) { return drawn(seed_, what, pod_template, number); };
    claim.access_modes = {"ReadWriteOnce"};
    claim.storage = std::max<int64_t>(spec.size.draw(draw(For::kClaimSize)) / 1000, 1);
    const ClaimKind kind = node ? ClaimKind::kBound : kind_of(spec, draw(For::kClaimKind));
    if (kind != ClaimKind::kBound) {
      claim.storage_class = kind == ClaimKind::kDelayed ? kDelayed : kImmediate;
      made.emplace_back(std::move(claim));
      continue;
    }
    claim.volume_name = fmt::format("vol-{}-{}", namespace_name, claim.name);
    claim.bind_completed = true;
    model::PersistentVolume of = volume(claim, place);
    made.emplace_back(std::move(claim));
    made.emplace_back(std::move(of));
  }
  return made;
}

void PodClaims::add(uint32_t pod_template, const std::string& namespace_name, std::string_view pod,
                    bool exist, StepPods& pods, LoadStep& step) const {
  for (uint32_t i = 0; i < spec_.templates[pod_template].claims->each; ++i)
    pods.claim(name(pod, i));
  if (exist) return;
  for (model::VolumeObject& object : make(pod_template, namespace_name, pod))
    step.events.push_back(model::added(std::move(object)));
}

void PodClaims::remove(uint32_t pod_template, const std::string& namespace_name,
                       std::string_view pod, LoadStep& step) const {
  for (model::VolumeObject& object : make(pod_template, namespace_name, pod))
    step.events.push_back(model::deleted(std::move(object)));
}

void PodClaims::place(uint32_t pod_template, uint64_t node, ingest::TemplatePod& pod,
                      LoadStep& step) const {
  for (uint32_t i = 0; i < spec_.templates[pod_template].claims->each; ++i)
    pod.claims.push_back(name(pod.name, i));
  for (model::VolumeObject& object : make(pod_template, pod.namespace_name, pod.name, node))
    step.cluster.push_back(model::added(std::move(object)));
}

// `place` is the number of a node that the volume reaches.
model::PersistentVolume PodClaims::volume(const model::PersistentVolumeClaim& claim,
                                          uint64_t place) const {
  const StorageSpec& storage = *spec_.storage;
  model::PersistentVolume volume;
  volume.name = claim.volume_name;
  volume.has_claim = true;
  volume.claim_namespace = claim.namespace_name;
  volume.claim_name = claim.name;
  volume.access_modes = claim.access_modes;
  volume.storage = *claim.storage;
  volume.csi_driver = storage.driver;
  volume.csi_handle = volume.name;
  if (storage.topology_key.empty() || spec_.cluster.nodes() == 0) return volume;
  const std::vector<std::string>& zones = spec_.cluster.zones;
  const std::string reached = storage.topology_key == model::kHostnameLabel
                                  ? NodeMaker::name(place)
                                  : zones[place % zones.size()];
  volume.node_affinity = model::NodeSelector{{{{{storage.topology_key, "In", {reached}}}, {}}}};
  return volume;
}

std::vector<model::VolumeObject> PodClaims::classes() const {
  const std::string& driver = spec_.storage->driver;
  std::vector<model::VolumeObject> made;
  made.emplace_back(model::CsiDriver{.name = driver, .storage_capacity = false});
  for (const char* name : {kDelayed, kImmediate})
    made.emplace_back(model::StorageClass{.name = name,
                                          .provisioner = driver,
                                          .has_binding_mode = true,
                                          .waits = name == kDelayed,
                                          .allowed_topologies = {},
                                          .is_default = false,
                                          .created_at = 0});
  return made;
}

model::CsiNode PodClaims::csi_node(const std::string& node) const {
  const StorageSpec& storage = *spec_.storage;
  model::CsiNode made;
  made.name = node;
  made.drivers.push_back({storage.driver, storage.per_node, {}});
  if (!storage.topology_key.empty())
    made.drivers.back().topology_keys.push_back(storage.topology_key);
  return made;
}

}  // namespace berth::loadgen
