#include "engine/ingest/admission/quotas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>
#include <set>
#include <vector>

#include "engine/ingest/admission/resource_lists.h"
#include "engine/model/objects/pod_requests.h"

namespace berth::ingest {
namespace {

using model::Quantity;
using model::ResourceList;

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kLimits = "limits.";

bool is_compute(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage";
}

// What quotas count, by the names that they use.
ResourceList usage_of(const ResourceList& requests, const ResourceList& limits) {
  ResourceList usage;
  for (const auto& [resource, amount] : requests) {
    const bool plain = is_compute(resource) || resource.starts_with("hugepages-");
    if (plain) set_amount(usage, resource, amount);
    if (plain || is_extended(resource))
      set_amount(usage, std::string(kRequests) + resource, amount);
  }
  for (const auto& [resource, amount] : limits)
    if (is_compute(resource)) set_amount(usage, std::string(kLimits) + resource, amount);
  return usage;
}

ResourceList limits_of(const model::PodSpec& spec, const PodAsked& asked) {
  model::PodSpec limited;
  limited.containers = spec.containers;
  limited.init_containers = spec.init_containers;
  for (auto* containers : {&limited.containers, &limited.init_containers})
    for (model::Container& container : *containers) container.requests = container.limits;
  limited.has_pod_resources = spec.has_pod_resources;
  limited.pod_requests = asked.limits;
  ResourceList limits = model::pod_requests(limited).requests;
  for (auto& [resource, amount] : limits) {
    const Quantity* overhead = find_amount(spec.overhead, resource);
    if (overhead != nullptr && !amount.zero()) amount += *overhead;
  }
  return limits;
}

ResourceList usage_of(const model::PodSpec& spec, const PodAsked& asked) {
  ResourceList usage = usage_of(model::pod_requests(spec).requests, limits_of(spec, asked));
  for (const char* name : {"pods", "count/pods"}) set_amount(usage, name, Quantity::from_units(1));
  return usage;
}

// Of all claims, and once more of those of the class.
ResourceList usage_of(const model::PersistentVolumeClaim& claim) {
  ResourceList usage;
  const auto add = [&](const std::string& prefix) {
    set_amount(usage, prefix + "persistentvolumeclaims", Quantity::from_units(1));
    if (claim.storage)
      set_amount(usage, prefix + "requests.storage", Quantity::from_units(*claim.storage));
  };
  add("");
  if (!claim.storage_class.empty()) add(claim.storage_class + ".storageclass.storage.k8s.io/");
  set_amount(usage, "count/persistentvolumeclaims", Quantity::from_units(1));
  return usage;
}

bool crosses_namespaces(const std::optional<model::PodAffinity>& affinity) {
  if (!affinity) return false;
  const auto crosses = [](const model::PodAffinityTerm& term) {
    return !term.namespaces.empty() || term.namespace_selector;
  };
  return std::ranges::any_of(affinity->required, crosses) ||
         std::ranges::any_of(affinity->preferred, crosses, &model::WeightedPodAffinityTerm::term);
}

bool in_class(const model::Requirement& scope, const std::string& name) {
  const bool listed = std::ranges::find(scope.values, name) != scope.values.end();
  if (scope.op == "Exists") return !name.empty();
  if (scope.op == "DoesNotExist") return name.empty();
  if (scope.op == "In") return !name.empty() && listed;
  return scope.op == "NotIn" && (name.empty() || !listed);
}

bool in_scope(const model::Requirement& scope, const model::PodSpec& spec, const PodAsked& asked) {
  if (scope.key == "Terminating") return asked.has_deadline;
  if (scope.key == "NotTerminating") return !asked.has_deadline;
  if (scope.key == "BestEffort") return is_best_effort(spec, asked);
  if (scope.key == "NotBestEffort") return !is_best_effort(spec, asked);
  if (scope.key == "PriorityClass") return in_class(scope, asked.priority_class);
  if (scope.key == "CrossNamespacePodAffinity")
    return crosses_namespaces(spec.affinity.pod_affinity) ||
           crosses_namespaces(spec.affinity.pod_anti_affinity);
  return false;
}

// True if the pod is in all scopes of the quota.
bool matches(const ResourceQuota& quota, const model::Pod& pod, const PodAsked& asked) {
  return std::ranges::all_of(quota.scopes, [&](const model::Requirement& scope) {
    return in_scope(scope, pod.spec, asked);
  });
}

// Where a quota limits these, each container has to say how much it wants.
constexpr std::string_view kDemanded[] = {"cpu",    "limits.cpu",   "limits.memory",
                                          "memory", "requests.cpu", "requests.memory"};

// For each demanded resource, the containers that do not name it; none if the pod itself does.
using Unspecified = std::array<std::set<std::string>, std::size(kDemanded)>;

Unspecified unspecified(const model::PodSpec& spec, const PodAsked& asked) {
  Unspecified found;
  const ResourceList of_pod = usage_of(spec.pod_requests, asked.limits);
  for (const auto* containers : {&spec.containers, &spec.init_containers}) {
    for (const model::Container& container : *containers) {
      const ResourceList usage = usage_of(container.requests, container.limits);
      for (size_t i = 0; i < found.size(); ++i)
        if (find_amount(of_pod, kDemanded[i]) == nullptr &&
            find_amount(usage, kDemanded[i]) == nullptr)
          found[i].insert(container.name);
    }
  }
  return found;
}

// `demanded`: by the quota, in step with kDemanded.
std::optional<std::string> problem_of(const std::string& quota,
                                      std::bitset<std::size(kDemanded)> demanded,
                                      const Unspecified& unspecified) {
  std::vector<std::string> missing;
  for (size_t i = 0; i < unspecified.size(); ++i)
    if (demanded[i] && !unspecified[i].empty())
      missing.push_back(fmt::format("{} for: {}", kDemanded[i], fmt::join(unspecified[i], ",")));
  if (missing.empty()) return std::nullopt;
  return fmt::format("failed quota: {}: must specify {}", quota, fmt::join(missing, "; "));
}

std::string listed(const ResourceList& list, const std::vector<std::string>& resources) {
  std::vector<std::string> parts;
  for (const std::string& resource : resources) {
    const Quantity* amount = find_amount(list, resource);
    parts.push_back(resource + "=" +
                    amount_text(resource, amount == nullptr ? Quantity() : *amount));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

bool is_best_effort(const model::PodSpec& spec, const PodAsked& asked) {
  const auto names = [](const ResourceList& list) {
    return std::ranges::any_of(list, [](const auto& entry) {
      return (entry.first == "cpu" || entry.first == "memory") && !entry.second.zero();
    });
  };
  if (names(spec.pod_requests) || names(asked.limits)) return false;
  for (const auto* containers : {&spec.containers, &spec.init_containers})
    for (const model::Container& container : *containers)
      if (names(container.requests) || names(container.limits)) return false;
  return true;
}

void Quotas::put(ResourceQuota quota) {
  Kept& kept = quotas_[quota.namespace_name][quota.name];
  ResourceList used = quota.used ? *quota.used : used_of(kept);
  kept.counted_elsewhere = quota.used.has_value();
  for (size_t i = 0; i < std::size(kDemanded); ++i)
    kept.demands[i] = find_amount(quota.hard, kDemanded[i]) != nullptr;
  kept.used.clear();
  for (const auto& [resource, hard] : quota.hard) {
    const Quantity* amount = find_amount(used, resource);
    kept.used.push_back(amount == nullptr ? Quantity() : *amount);
  }
  kept.quota = std::move(quota);
}

ResourceList Quotas::used_of(const Kept& kept) {
  ResourceList used;
  for (size_t i = 0; i < kept.used.size(); ++i)
    used.emplace_back(kept.quota.hard[i].first, kept.used[i]);
  return used;
}

void Quotas::remove(const std::string& namespace_name, const std::string& name) {
  const auto in = quotas_.find(namespace_name);
  if (in == quotas_.end()) return;
  in->second.erase(name);
  if (in->second.empty()) quotas_.erase(in);
}

template <typename Visit>
void Quotas::each_of(const std::string& namespace_name, Visit&& visit) {
  const auto in = quotas_.find(namespace_name);
  if (in == quotas_.end()) return;
  for (auto& [name, kept] : in->second) visit(kept);
}

void Quotas::add(Kept& kept, const ResourceList& usage) {
  const ResourceList& hard = kept.quota.hard;
  for (size_t i = 0; i < hard.size(); ++i)
    if (const Quantity* amount = find_amount(usage, hard[i].first)) kept.used[i] += *amount;
}

std::optional<std::string> Quotas::excess(const Kept& kept, const ResourceList& usage) {
  const ResourceList& hard = kept.quota.hard;
  std::vector<std::string> exceeded;
  for (size_t i = 0; i < hard.size(); ++i) {
    const Quantity* amount = find_amount(usage, hard[i].first);
    if (amount == nullptr || amount->zero()) continue;
    Quantity used = kept.used[i];
    used += *amount;
    if (used > hard[i].second) exceeded.push_back(hard[i].first);
  }
  if (exceeded.empty()) return std::nullopt;
  return fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}", kept.quota.name,
                     listed(usage, exceeded), listed(used_of(kept), exceeded),
                     listed(hard, exceeded));
}

// Charges all quotas of the namespace that count the object, or none.
template <typename Counts>
std::optional<std::string> Quotas::charge(const std::string& namespace_name,
                                          const ResourceList& usage, Counts&& counts) {
  std::vector<Kept*> charged;
  std::optional<std::string> problem;
  each_of(namespace_name, [&](Kept& kept) {
    if (problem || !counts(kept, problem)) return;
    if (!problem) problem = excess(kept, usage);
    charged.push_back(&kept);
  });
  if (problem) return problem;
  for (Kept* kept : charged) add(*kept, usage);
  return std::nullopt;
}

void Quotas::count(const model::Pod& pod, const PodAsked& asked) {
  if (quotas_.empty() || pod.finished()) return;
  const ResourceList usage = usage_of(pod.spec, asked);
  each_of(pod.namespace_name, [&](Kept& kept) {
    if (!kept.counted_elsewhere && matches(kept.quota, pod, asked)) add(kept, usage);
  });
}

std::optional<std::string> Quotas::admit(const model::Pod& pod, const PodAsked& asked) {
  if (quotas_.empty()) return std::nullopt;
  const ResourceList usage = usage_of(pod.spec, asked);
  const Unspecified unspecified = ingest::unspecified(pod.spec, asked);
  return charge(pod.namespace_name, usage, [&](const Kept& kept, auto& problem) {
    if (!matches(kept.quota, pod, asked)) return false;
    problem = problem_of(kept.quota.name, kept.demands, unspecified);
    return true;
  });
}

void Quotas::count(const model::PersistentVolumeClaim& claim) {
  each_of(claim.namespace_name, [&](Kept& kept) {
    if (!kept.counted_elsewhere && kept.quota.scopes.empty()) add(kept, usage_of(claim));
  });
}

std::optional<std::string> Quotas::admit(const model::PersistentVolumeClaim& claim) {
  if (quotas_.empty()) return std::nullopt;
  const ResourceList usage = usage_of(claim);
  return charge(claim.namespace_name, usage,
                [](const Kept& kept, auto&) { return kept.quota.scopes.empty(); });
}

}  // namespace berth::ingest
