#include "engine/ingest/admission/policies/quotas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>
#include <set>
#include <vector>

#include "engine/ingest/admission/policies/resource_lists.h"
#include "engine/model/objects/pod_requests.h"

namespace berth::ingest {
namespace {

using model::Quantity;
using model::ResourceList;
using Demands = std::bitset<6>;

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kLimits = "limits.";

bool is_compute(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage";
}

// The amounts that quotas count, by the names that they use.
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
static_assert(std::size(kDemanded) == Demands().size());

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

// `lacking`: demanded by the quota and named by some containers alone, in step with kDemanded.
std::string problem_of(const std::string& quota, Demands lacking, const Unspecified& unspecified) {
  std::vector<std::string> missing;
  for (size_t i = 0; i < unspecified.size(); ++i)
    if (lacking[i])
      missing.push_back(fmt::format("{} for: {}", kDemanded[i], fmt::join(unspecified[i], ",")));
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
  OfNamespace& in = quotas_[quota.namespace_name];
  settle(in);
  Kept& kept = in.by_name[quota.name];
  std::vector<Quantity> used;
  for (const auto& [resource, hard] : quota.hard) {
    resources_.try_emplace(resource, static_cast<uint32_t>(resources_.size()));
    Quantity amount;
    if (quota.used) {
      if (const Quantity* said = find_amount(*quota.used, resource)) amount = *said;
    } else {
      for (size_t i = 0; i < kept.used.size(); ++i)
        if (kept.quota.hard[i].first == resource) amount = kept.used[i];
    }
    used.push_back(amount);
  }
  kept.used = std::move(used);
  kept.counted_elsewhere = quota.used.has_value();
  for (size_t i = 0; i < std::size(kDemanded); ++i)
    kept.demands[i] = find_amount(quota.hard, kDemanded[i]) != nullptr;
  kept.quota = std::move(quota);
}

void Quotas::remove(const std::string& namespace_name, const std::string& name) {
  const auto in = quotas_.find(namespace_name);
  if (in == quotas_.end()) return;
  settle(in->second);
  in->second.by_name.erase(name);
  if (in->second.by_name.empty()) quotas_.erase(in);
}

std::span<Quotas::Limit> Quotas::limits(OfNamespace& in, const Kept& kept) {
  return std::span(in.limits).subspan(kept.first, kept.used.size());
}

void Quotas::lay_out(OfNamespace& in) {
  if (in.laid_out) return;
  in.laid_out = true;
  in.in_order.clear();
  in.limits.clear();
  for (auto& [name, kept] : in.by_name) {
    kept.first = in.limits.size();
    for (size_t i = 0; i < kept.used.size(); ++i) {
      const auto& [resource, hard] = kept.quota.hard[i];
      in.limits.push_back({resources_.find(resource)->second, hard, kept.used[i]});
    }
    in.in_order.push_back(&kept);
  }
}

void Quotas::settle(OfNamespace& in) {
  if (!in.laid_out) return;
  in.laid_out = false;
  for (auto& [name, kept] : in.by_name)
    for (size_t i = 0; i < kept.used.size(); ++i) kept.used[i] = in.limits[kept.first + i].used;
}

// Finds the numbers of the resources.
void Quotas::take(const ResourceList& usage) {
  amounts_.assign(resources_.size(), Quantity());
  for (const auto& [resource, amount] : usage)
    if (const auto known = resources_.find(resource); known != resources_.end())
      amounts_[known->second] = amount;
}

void Quotas::add(std::span<Limit> limits) const {
  for (Limit& limit : limits) limit.used += amounts_[limit.resource];
}

// Why the quota does not have this left; empty if it does.
std::string Quotas::excess(const Kept& kept, std::span<const Limit> limits,
                           const ResourceList& usage) const {
  const auto exceeds = [&](const Limit& limit) {
    const Quantity& amount = amounts_[limit.resource];
    if (amount.zero()) return false;
    Quantity used = limit.used;
    return (used += amount) > limit.hard;
  };
  if (std::ranges::none_of(limits, exceeds)) return {};
  std::vector<std::string> exceeded;
  ResourceList used;
  for (size_t i = 0; i < limits.size(); ++i) {
    const std::string& resource = kept.quota.hard[i].first;
    used.emplace_back(resource, limits[i].used);
    if (exceeds(limits[i])) exceeded.push_back(resource);
  }
  return fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}", kept.quota.name,
                     listed(usage, exceeded), listed(used, exceeded),
                     listed(kept.quota.hard, exceeded));
}

// Charges all quotas of the namespace that count the object, or none. `counts` may set the problem.
template <typename Counts>
std::optional<std::string> Quotas::charge(const std::string& namespace_name,
                                          const ResourceList& usage, Counts&& counts) {
  const auto at = quotas_.find(namespace_name);
  if (at == quotas_.end()) return std::nullopt;
  OfNamespace& in = at->second;
  lay_out(in);
  take(usage);
  std::vector<const Kept*> charged;
  for (const Kept* kept : in.in_order) {
    std::optional<std::string> problem;
    if (!counts(*kept, problem)) continue;
    if (problem) return problem;
    charged.push_back(kept);
  }
  // An API server looks at all demands of quotas before it charges one of them.
  for (const Kept* kept : charged)
    if (std::string why = excess(*kept, limits(in, *kept), usage); !why.empty()) return why;
  for (const Kept* kept : charged) add(limits(in, *kept));
  return std::nullopt;
}

// Counts an object that is there in the quotas that count it.
template <typename Counts>
void Quotas::count(const std::string& namespace_name, const ResourceList& usage, Counts&& counts) {
  const auto at = quotas_.find(namespace_name);
  if (at == quotas_.end()) return;
  lay_out(at->second);
  take(usage);
  for (const Kept* kept : at->second.in_order)
    if (!kept->counted_elsewhere && counts(*kept)) add(limits(at->second, *kept));
}

void Quotas::count(const model::Pod& pod, const PodAsked& asked) {
  if (quotas_.empty() || pod.finished()) return;
  count(pod.namespace_name, usage_of(pod.spec, asked),
        [&](const Kept& kept) { return matches(kept.quota, pod, asked); });
}

std::optional<std::string> Quotas::admit(const model::Pod& pod, const PodAsked& asked) {
  if (quotas_.empty()) return std::nullopt;
  const Unspecified unspecified = ingest::unspecified(pod.spec, asked);
  Demands by_some;
  for (size_t i = 0; i < unspecified.size(); ++i) by_some[i] = !unspecified[i].empty();
  const auto counts = [&](const Kept& kept, std::optional<std::string>& problem) {
    if (!matches(kept.quota, pod, asked)) return false;
    if (const Demands lacking = kept.demands & by_some; lacking.any())
      problem = problem_of(kept.quota.name, lacking, unspecified);
    return true;
  };
  return charge(pod.namespace_name, usage_of(pod.spec, asked), counts);
}

void Quotas::count(const model::PersistentVolumeClaim& claim) {
  if (quotas_.empty()) return;
  count(claim.namespace_name, usage_of(claim),
        [](const Kept& kept) { return kept.quota.scopes.empty(); });
}

std::optional<std::string> Quotas::admit(const model::PersistentVolumeClaim& claim) {
  if (quotas_.empty()) return std::nullopt;
  return charge(claim.namespace_name, usage_of(claim),
                [](const Kept& kept, auto&) { return kept.quota.scopes.empty(); });
}

}  // namespace berth::ingest
