#include "engine/controllers/kubelet/admission/predicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/controllers/kubelet/admission/predicate_names.h"
#include "engine/controllers/kubelet/pod/pod_rules.h"
#include "engine/model/objects/labels.h"
#include "engine/model/objects/names.h"
#include "engine/model/pods/tolerations.h"

namespace berth::controllers::kubelet {
namespace {

constexpr std::string_view kOsLabel = "kubernetes.io/os";
constexpr std::string_view kOs = "linux";

const std::string* label_in(const model::StringMap& labels, std::string_view key) {
  const auto at = std::ranges::lower_bound(labels, key, {}, &model::StringMap::value_type::first);
  return at == labels.end() || at->first != key ? nullptr : &at->second;
}

std::optional<Refusal> unsupported_part(const NodeFacts& node, const StartingPod& pod) {
  const std::string* os = label_in(pod.spec.labels, kOsLabel);
  if (os != nullptr && *os != kOs)
    return Refusal{"PodOSSelectorNodeLabelDoesNotMatch",
                   "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"};
  if (!pod.spec.os.empty() && pod.spec.os != kOs)
    return Refusal{"PodOSNotSupported",
                   "Failed to admit pod as the OS field doesn't match node OS"};
  if (pod.spec.strict_supplemental_groups && !node.supplemental_groups_policy)
    return Refusal{"SupplementalGroupsPolicyNotSupported",
                   "SupplementalGroupsPolicy=Strict is not supported in this node"};
  return std::nullopt;
}

// Nothing: the list does not have the resource.
std::optional<int64_t> listed_amount(const model::ResourceList& list, std::string_view resource) {
  const auto at =
      std::ranges::lower_bound(list, resource, {}, &model::ResourceList::value_type::first);
  if (at == list.end() || at->first != resource) return std::nullopt;
  return model::resource_amount(resource, at->second);
}

class ResourceCheck {
 public:
  ResourceCheck(const NodeFacts& node, const StartingPod& pod,
                const std::vector<const StartingPod*>& others)
      : node_(node), pod_(pod), others_(others) {}

  std::vector<Shortage> run() {
    check_number();
    for (const std::string_view resource : {"cpu", "memory", "ephemeral-storage"}) check(resource);
    for (const auto& [resource, quantity] : pod_.requests.requests)
      if (model::is_scalar_resource(resource) && !is_unknown(resource)) check(resource);
    return std::move(short_of_);
  }

 private:
  void check_number() {
    const int64_t used = static_cast<int64_t>(others_.size());
    const int64_t capacity = listed_amount(node_.allocatable, "pods").value_or(0);
    if (used + 1 > capacity) short_of_.push_back({"pods", 1, used, capacity});
  }
  void check(std::string_view resource) {
    const int64_t requested = listed_amount(pod_.requests.requests, resource).value_or(0);
    if (requested <= 0) return;
    int64_t used = 0;
    for (const StartingPod* other : others_)
      used = saturating_sum(used, listed_amount(other->requests.running, resource).value_or(0));
    const int64_t capacity = listed_amount(node_.allocatable, resource).value_or(0);
    if (requested > capacity - used)
      short_of_.push_back({std::string(resource), requested, used, capacity});
  }
  // Extended resources that the node does not list are not the node's.
  bool is_unknown(const std::string& resource) const {
    return model::is_extended_resource(resource) && !listed_amount(node_.allocatable, resource);
  }

  const NodeFacts& node_;
  const StartingPod& pod_;
  const std::vector<const StartingPod*>& others_;
  std::vector<Shortage> short_of_;
};

struct HostPort {
  std::string_view address, protocol;
  int32_t number = 0;
};

std::vector<HostPort> host_ports(const model::PodSpec& spec) {
  std::vector<HostPort> ports;
  const auto add = [&](const model::Container& container) {
    for (const model::ContainerPort& one : container.ports)
      if (one.host_port > 0)
        ports.push_back({one.host_ip.empty() ? "0.0.0.0" : std::string_view(one.host_ip),
                         one.protocol.empty() ? "TCP" : std::string_view(one.protocol),
                         one.host_port});
  };
  for (const model::Container& one : spec.init_containers)
    if (one.restart_always) add(one);
  for (const model::Container& one : spec.containers) add(one);
  return ports;
}

bool exclude_each_other(const HostPort& a, const HostPort& b) {
  return a.number == b.number && a.protocol == b.protocol &&
         (a.address == b.address || a.address == "0.0.0.0" || b.address == "0.0.0.0");
}

bool has_free_ports(const StartingPod& pod, const std::vector<const StartingPod*>& others) {
  const std::vector<HostPort> wanted = host_ports(pod.spec);
  if (wanted.empty()) return true;
  for (const StartingPod* other : others)
    for (const HostPort& used : host_ports(other->spec))
      for (const HostPort& one : wanted)
        if (exclude_each_other(used, one)) return false;
  return true;
}

// Only NoExecute taints keep pods from starting.
bool tolerates_taints(const NodeFacts& node, const model::PodSpec& spec) {
  std::vector<model::Taint> taints;
  std::ranges::copy_if(node.taints, std::back_inserter(taints),
                       [](const model::Taint& one) { return one.effect == "NoExecute"; });
  model::TolerationSets sets;
  return taints.empty() || sets.tolerate(sets.of(spec.tolerations), taints);
}

Refusal failed_predicate(const PredicateName& predicate) {
  return {std::string(predicate.name),
          fmt::format("Predicate {} failed: {}", predicate.name, predicate.reason)};
}

}  // namespace

Refusal refusal_for(const Shortage& shortage) {
  return {"OutOf" + shortage.resource,
          fmt::format("Node didn't have enough resource: {}, requested: {}, used: {}, capacity: {}",
                      shortage.resource, shortage.requested, shortage.used, shortage.capacity)};
}

// A kubelet labels its node with its system before it looks at selectors, if there are labels.
bool Predicates::matches_affinity(const NodeFacts& node, const model::PodSpec& pod) {
  if (pod.node_selector.empty() && !pod.affinity.node_required) return true;
  model::StringMap known = node.labels;
  if (!known.empty() &&
      (label_in(known, kOsLabel) == nullptr || *label_in(known, kOsLabel) != kOs)) {
    std::erase_if(known, [](const auto& label) { return label.first == kOsLabel; });
    known.emplace_back(kOsLabel, kOs);
    std::ranges::sort(known);
  }
  const model::Labels labels = model::intern_labels(strings_, known);
  const model::StringId name = strings_.intern_counted(node.name);
  bool matches = true;
  if (const auto map = selectors_.of_map(pod.node_selector); map != 0)
    matches = selectors_.matches(map, labels, name);
  if (matches && pod.affinity.node_required)
    matches = selectors_.matches(selectors_.of_selector(*pod.affinity.node_required), labels, name);
  selectors_.collect();
  strings_.collect();
  return matches;
}

PredicateFailures Predicates::check(const NodeFacts& node, const StartingPod& pod,
                                    const std::vector<const StartingPod*>& others) {
  PredicateFailures found;
  found.unsupported = unsupported_part(node, pod);
  if (found.unsupported) return found;
  found.shortages = ResourceCheck(node, pod, others).run();
  const auto require = [&](bool holds, const PredicateName& predicate) {
    if (!holds) found.others.push_back(failed_predicate(predicate));
  };
  require(matches_affinity(node, pod.spec), kAffinityPredicate);
  require(pod.spec.node_name.empty() || pod.spec.node_name == node.name, kNamePredicate);
  require(has_free_ports(pod, others), kPortsPredicate);
  require(pod.pod.is_static || tolerates_taints(node, pod.spec), kTaintPredicate);
  return found;
}

}  // namespace berth::controllers::kubelet
