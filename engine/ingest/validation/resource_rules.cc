#include "engine/ingest/validation/resource_rules.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/ingest/admission/label_syntax.h"
#include "engine/ingest/admission/policies/resource_lists.h"
#include "engine/model/objects/pod_requests.h"

namespace berth::ingest {
namespace {

using Within = FieldErrors::Within;

constexpr std::string_view kHugePages = "hugepages-";

// Standard resources, and those that are counted in whole numbers. Source: the helpers of
// k8s.io/kubernetes pkg/apis/core/helper.
constexpr std::string_view kStandard[] = {
    "cpu",          "memory",          "ephemeral-storage",
    "requests.cpu", "requests.memory", "requests.ephemeral-storage",
    "limits.cpu",   "limits.memory",   "limits.ephemeral-storage",
    "storage",      "requests.storage"};
constexpr std::string_view kCounted[] = {"pods",
                                         "resourcequotas",
                                         "services",
                                         "replicationcontrollers",
                                         "secrets",
                                         "configmaps",
                                         "persistentvolumeclaims",
                                         "services.nodeports",
                                         "services.loadbalancers"};

bool is_one_of(std::string_view name, auto& list) {
  return std::ranges::find(list, name) != std::end(list);
}
bool is_cpu_or_memory(std::string_view name) { return name == "cpu" || name == "memory"; }
bool is_huge(std::string_view name) { return name.starts_with(kHugePages); }
bool is_native(std::string_view name) {
  return name.find('/') == name.npos || name.find("kubernetes.io/") != name.npos;
}
bool is_own_kind(std::string_view name) {
  if (is_native(name) || name.starts_with("requests.")) return false;
  return label_key_problems("requests." + std::string(name)).empty();
}
bool is_overcommitted(std::string_view name) { return is_native(name) && !is_huge(name); }
bool is_whole(std::string_view name) { return is_one_of(name, kCounted) || is_own_kind(name); }

// False after reporting that it is no name of a resource at all.
bool check_any_name(std::string_view name, FieldErrors& errors) {
  const std::vector<std::string> problems = label_key_problems(name);
  errors.invalid_enumerator(name, problems);
  if (!problems.empty()) return false;
  if (name.find('/') != name.npos || is_huge(name) || name.starts_with("requests.hugepages-") ||
      is_one_of(name, kStandard) || is_one_of(name, kCounted))
    return true;
  errors.invalid_enumerator(name, "must be a standard resource type or fully qualified");
  return false;
}

void check_container_resource(std::string_view name, FieldErrors& errors) {
  check_any_name(name, errors);
  if (name.find('/') == name.npos) {
    if (name != "ephemeral-storage" && !is_huge(name))
      errors.invalid_enumerator(name, "must be a standard resource for containers");
  } else if (!is_native(name) && !is_own_kind(name)) {
    errors.invalid_enumerator(name, "doesn't follow extended resource name standard");
  }
}

void check_name(std::string_view name, ResourceNames names, FieldErrors& errors) {
  if (is_cpu_or_memory(name)) return;
  if (names == ResourceNames::kContainer) return check_container_resource(name, errors);
  if (check_any_name(name, errors) && !is_huge(name))
    errors.unsupported(name, {"cpu", kHugePages, "memory"});
}

bool is_multiple_of_page(std::string_view name, const model::Quantity& amount) {
  const auto page = model::Quantity::parse(name.substr(kHugePages.size()));
  if (!page || page->negative() || page->zero() || page->milli_value() % 1000 != 0) return false;
  return amount.value() % page->value() == 0;
}

void check_amount(std::string_view name, const model::Quantity& amount, FieldErrors& errors) {
  if (is_cpu_or_memory(name)) return;
  if (is_whole(name) && amount.milli_value() % 1000 != 0)
    errors.invalid(amount_text(name, amount), "must be an integer");
  if (!is_huge(name) || is_multiple_of_page(name, amount)) return;
  const std::string text = amount_text(name, amount);
  errors.invalid(text, text + " is not positive integer multiple of " + std::string(name));
}

void check_against_limit(std::string_view name, const model::Quantity& request,
                         const model::Quantity* limit, FieldErrors& errors) {
  if (limit == nullptr) {
    // An API server asks for a limit of resources with a domain as well. Loads are often written
    // without, and for scheduling a limit that equals the request says nothing.
    if (!is_huge(name)) return;
    const Within in_limits(errors, "limits");
    return errors.required("Limit must be set for non overcommitable resources");
  }
  if (request == *limit) return;
  const bool equal = !is_overcommitted(name);
  if (!equal && request < *limit) return;
  const Within in_requests(errors, "requests");
  errors.of_key(name);
  errors.invalid(amount_text(name, request),
                 (equal ? "must be equal to " : "must be less than or equal to ") +
                     std::string(name) + " limit of " + amount_text(name, *limit));
  errors.of_key({});
}

}  // namespace

void check_requirements(const model::ResourceList& requests, const model::ResourceList& limits,
                        ResourceNames names, FieldErrors& errors) {
  bool compute = false, huge = false;
  const auto check_one = [&](const char* field, const std::string& name,
                             const model::Quantity& amount) {
    const Within in_list(errors, field, std::string_view(name));
    check_name(name, names, errors);
    check_amount(name, amount, errors);
    compute = compute || is_cpu_or_memory(name);
    huge = huge || is_huge(name);
  };
  for (const auto& [name, amount] : limits) check_one("limits", name, amount);
  for (const auto& [name, amount] : requests) {
    check_one("requests", name, amount);
    check_against_limit(name, amount, find_amount(limits, name), errors);
  }
  if (huge && !compute) errors.forbidden("HugePages require cpu or memory");
}

void check_requests_against_limits(const model::PodSpec& spec, FieldErrors& errors) {
  const auto check = [&](const char* field, const std::vector<model::Container>& containers) {
    for (size_t i = 0; i < containers.size(); ++i) {
      const Within in_container(errors, field, i);
      const Within in_resources(errors, "resources");
      for (const auto& [name, amount] : containers[i].requests)
        check_against_limit(name, amount, find_amount(containers[i].limits, name), errors);
    }
  };
  check("containers", spec.containers);
  check("initContainers", spec.init_containers);
}

void check_pod_level(const model::PodSpec& spec, const model::ResourceList& limits,
                     FieldErrors& errors) {
  model::PodSpec containers;
  containers.init_containers = spec.init_containers;
  containers.containers = spec.containers;
  {
    const Within in_resources(errors, "resources");
    check_requirements(spec.pod_requests, limits, ResourceNames::kPod, errors);
    for (const auto& [name, amount] : model::pod_requests(containers).requests) {
      const model::Quantity* own = find_amount(spec.pod_requests, name);
      if (own == nullptr || amount <= *own) continue;
      const Within in_request(errors, "requests", std::string_view(name));
      errors.invalid(amount_text(name, *own),
                     "must be greater than or equal to aggregate container requests of " +
                         amount_text(name, amount));
    }
  }
  for (size_t i = 0; i < spec.containers.size(); ++i) {
    const Within in_container(errors, "containers", i);
    const Within in_resources(errors, "resources");
    for (const auto& [name, amount] : spec.containers[i].limits) {
      const model::Quantity* own = find_amount(limits, name);
      if (own == nullptr || amount <= *own) continue;
      const Within in_limit(errors, "limits", std::string_view(name));
      errors.invalid(amount_text(name, amount),
                     "must be less than or equal to pod limits of " + amount_text(name, *own));
    }
  }
}

void check_node_amounts(const char* field, const model::ResourceList& amounts,
                        FieldErrors& errors) {
  for (const auto& [name, amount] : amounts) {
    if (is_cpu_or_memory(name) || !is_whole(name) || amount.milli_value() % 1000 == 0) continue;
    const Within in_amount(errors, field, std::string_view(name));
    errors.invalid(amount_text(name, amount), "must be an integer");
  }
}

}  // namespace berth::ingest
