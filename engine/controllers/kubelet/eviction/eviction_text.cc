#include "engine/controllers/kubelet/eviction/eviction_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/controllers/kubelet/pod/pod_rules.h"

namespace berth::controllers::kubelet {
namespace {

constexpr std::string_view kStorage = "ephemeral-storage";

std::string larger_use(std::string_view kind, std::string_view name, const std::string& used,
                       const Amount& request, Starved starved) {
  return fmt::format("{} {} was using {}, request is {}, has larger consumption of {}. ", kind,
                     name, used, request.to_string(), name_of(starved));
}

// Nothing: the figures are not known, or nothing is requested of the resource.
std::optional<int64_t> container_use(const ContainerUsage& usage, Starved starved) {
  if (starved == Starved::kMemory) return usage.memory;
  if (starved == Starved::kEphemeralStorage && usage.layer && usage.logs)
    return *usage.layer + *usage.logs;
  return std::nullopt;
}

const Container* container_named(const Pod& pod, std::string_view name) {
  for (const auto* list : {&pod.containers, &pod.init_containers})
    if (const auto at = std::ranges::find(*list, name, &Container::name); at != list->end())
      return &*at;
  return nullptr;
}

void append_listed(std::string& list, std::string_view text) {
  if (!list.empty()) list += ',';
  list += text;
}

void add_pod_text(const Candidate& candidate, const Shortfall& shortfall, EvictionText& text) {
  const Pod& pod = *candidate.pod;
  if (shortfall.starved != Starved::kMemory || !has_pod_resources(pod)) return;
  const Amount* request = find(pod.resources->requests, "memory");
  const std::optional<int64_t> memory = memory_of(*candidate.usage);
  if (request == nullptr || !memory) return;
  const std::string used = Amount::bytes(*memory).to_string();
  text.message += larger_use("Pod", pod.name, used, *request, shortfall.starved);
  text.annotations.emplace_back("offending_pod", pod.name);
  text.annotations.emplace_back("offending_pod_usage", used);
}

void add_container_texts(const Candidate& candidate, const Shortfall& shortfall,
                         EvictionText& text) {
  std::string names, amounts;
  for (const ContainerUsage& usage : candidate.usage->containers) {
    const Container* container = container_named(*candidate.pod, usage.name);
    const std::optional<int64_t> use = container_use(usage, shortfall.starved);
    if (container == nullptr || !use) continue;
    const Amount used = Amount::bytes(*use);
    const Amount* known = find(container->requests, name_of(shortfall.starved));
    const Amount request = known == nullptr ? Amount() : *known;
    if (used.quantity <= request.quantity) continue;
    text.message +=
        larger_use("Container", container->name, used.to_string(), request, shortfall.starved);
    append_listed(names, container->name);
    append_listed(amounts, used.to_string());
  }
  text.annotations.emplace_back("offending_containers", names);
  text.annotations.emplace_back("offending_containers_usage", amounts);
  text.annotations.emplace_back("starved_resource", name_of(shortfall.starved));
}

bool above(int64_t used, const Amount& limit) {
  return model::Quantity::from_units(used) > limit.quantity;
}

std::optional<std::string> over_directory_limit(const Candidate& candidate) {
  for (const Volume& volume : candidate.pod->volumes) {
    if (!volume.empty_dir() || !volume.size_limit) continue;
    const Amount& limit = *volume.size_limit;
    const auto& known = candidate.usage->volumes;
    const auto at = std::ranges::find(known, volume.name, &VolumeUsage::name);
    if (at == known.end() || limit.quantity <= model::Quantity() || !above(at->bytes, limit))
      continue;
    return fmt::format("Usage of EmptyDir volume \"{}\" exceeds the limit \"{}\". ", volume.name,
                       limit.to_string());
  }
  return std::nullopt;
}

std::optional<std::string> over_pod_limit(const Candidate& candidate) {
  const std::optional<Amount> limit = container_limits(*candidate.pod, kStorage);
  DiskUse used = layers_of(*candidate.usage);
  used += logs_of(*candidate.usage);
  used += volumes_of(*candidate.usage, *candidate.pod, &Volume::ephemeral);
  if (!limit || !above(used.bytes, *limit)) return std::nullopt;
  return fmt::format("Pod ephemeral local storage usage exceeds the total limit of containers {}. ",
                     limit->to_string());
}

// Where images have their own filesystem, writable layers do not count.
std::optional<std::string> over_container_limit(const Candidate& candidate,
                                                Filesystems filesystems) {
  const auto& containers = candidate.pod->containers;
  for (const ContainerUsage& usage : candidate.usage->containers) {
    const auto at = std::ranges::find(containers, usage.name, &Container::name);
    const Amount* limit = at == containers.end() ? nullptr : find(at->limits, kStorage);
    const int64_t layer = filesystems == Filesystems::kSingle ? usage.layer.value_or(0) : 0;
    if (limit == nullptr || limit->quantity.zero() ||
        !above(usage.logs.value_or(0) + layer, *limit))
      continue;
    return fmt::format("Container {} exceeded its local ephemeral storage limit \"{}\". ",
                       usage.name, limit->to_string());
  }
  return std::nullopt;
}

}  // namespace

EvictionText eviction_text(const Candidate& candidate, const Shortfall& shortfall) {
  EvictionText text;
  text.message = fmt::format(
      "The node was low on resource: {}. Threshold quantity: {}, available: {}. ",
      name_of(shortfall.starved), shortfall.threshold.to_string(), shortfall.available.to_string());
  if (candidate.usage == nullptr) return text;
  add_pod_text(candidate, shortfall, text);
  add_container_texts(candidate, shortfall, text);
  std::ranges::sort(text.annotations);
  return text;
}

std::optional<std::string> over_local_limit(const Candidate& candidate, Filesystems filesystems) {
  BERTH_ASSERT(candidate.usage != nullptr);
  if (auto text = over_directory_limit(candidate)) return text;
  if (auto text = over_pod_limit(candidate)) return text;
  return over_container_limit(candidate, filesystems);
}

}  // namespace berth::controllers::kubelet
