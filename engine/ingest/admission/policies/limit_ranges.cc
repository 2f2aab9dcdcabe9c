#include "engine/ingest/admission/policies/limit_ranges.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ingest/admission/policies/resource_lists.h"

namespace berth::ingest {
namespace {

using model::Quantity;
using model::ResourceList;

constexpr std::string_view kStorage = "storage";

// The amounts of one container, or of the pod. Refers to the lists.
struct Amounts {
  const ResourceList &requests, &limits;
};

class Checker {
 public:
  explicit Checker(const LimitRangeItem& item, std::vector<std::string>& broken)
      : item_(item), broken_(broken) {}

  void check(const Amounts& amounts) {
    for (const auto& [resource, least] : item_.min) check_min(resource, least, amounts);
    for (const auto& [resource, most] : item_.max) check_max(resource, most, amounts);
    for (const auto& [resource, ratio] : item_.max_ratio) check_ratio(resource, ratio, amounts);
  }
  // The same of a claim, whose limits and ratios do not count.
  void check_requests(const ResourceList& requests) {
    const ResourceList none;
    for (const auto& [resource, least] : item_.min) check_min(resource, least, {requests, none});
    for (const auto& [resource, most] : item_.max) check_max_request(resource, most, requests);
  }

 private:
  void say(std::string text) {
    if (std::ranges::find(broken_, text) == broken_.end()) broken_.push_back(std::move(text));
  }

  void check_min(const std::string& resource, const Quantity& least, const Amounts& amounts) {
    const Quantity* request = find_amount(amounts.requests, resource);
    const Quantity* limit = find_amount(amounts.limits, resource);
    const auto begin = [&] {
      return fmt::format("minimum {} usage per {} is {}", resource, item_.type,
                         amount_text(resource, least));
    };
    if (request == nullptr) return say(begin() + ".  No request is specified");
    if (*request < least)
      return say(begin() + ", but request is " + amount_text(resource, *request));
    if (limit != nullptr && *limit < least)
      say(begin() + ", but limit is " + amount_text(resource, *limit));
  }

  void check_max(const std::string& resource, const Quantity& most, const Amounts& amounts) {
    const Quantity* request = find_amount(amounts.requests, resource);
    const Quantity* limit = find_amount(amounts.limits, resource);
    const auto begin = [&] {
      return fmt::format("maximum {} usage per {} is {}", resource, item_.type,
                         amount_text(resource, most));
    };
    if (limit == nullptr) return say(begin() + ".  No limit is specified");
    if (*limit > most) return say(begin() + ", but limit is " + amount_text(resource, *limit));
    if (request != nullptr && *request > most)
      say(begin() + ", but request is " + amount_text(resource, *request));
  }

  void check_max_request(const std::string& resource, const Quantity& most,
                         const ResourceList& requests) {
    const Quantity* request = find_amount(requests, resource);
    if (request != nullptr && !(*request > most)) return;
    say(fmt::format("maximum {} usage per {} is {}", resource, item_.type,
                    amount_text(resource, most)) +
        (request == nullptr ? ".  No request is specified"
                            : ", but request is " + amount_text(resource, *request)));
  }

  void check_ratio(const std::string& resource, const Quantity& most, const Amounts& amounts) {
    const Quantity* request = find_amount(amounts.requests, resource);
    const Quantity* limit = find_amount(amounts.limits, resource);
    const auto begin = [&] {
      return fmt::format("{} max limit to request ratio per {} is {}, but ", resource, item_.type,
                         amount_text(resource, most));
    };
    if (request == nullptr || request->zero())
      return say(begin() + "no request is specified or request is 0");
    if (limit == nullptr || limit->zero())
      return say(begin() + "no limit is specified or limit is 0");
    const double ratio =
        static_cast<double>(limit->milli_value()) / static_cast<double>(request->milli_value());
    if (ratio * 1000 > static_cast<double>(most.milli_value()))
      say(begin() + fmt::format("provided ratio is {:f}", ratio));
  }

  const LimitRangeItem& item_;
  std::vector<std::string>& broken_;
};

// Keeps the stricter amount of each resource.
template <typename Stricter>
void tighten(ResourceList& all, const ResourceList& list, Stricter&& stricter) {
  for (const auto& [resource, amount] : list) {
    const Quantity* known = find_amount(all, resource);
    if (known == nullptr || stricter(amount, *known)) set_amount(all, resource, amount);
  }
}

void merge(const LimitRangeItem& item, LimitRange& all) {
  auto at = std::ranges::find(all.limits, item.type, &LimitRangeItem::type);
  if (at == all.limits.end()) {
    all.limits.push_back(item);
    return;
  }
  const auto less = [](const Quantity& a, const Quantity& b) { return b > a; };
  const auto more = [](const Quantity& a, const Quantity& b) { return a > b; };
  tighten(at->max, item.max, less);
  tighten(at->max_ratio, item.max_ratio, less);
  tighten(at->min, item.min, more);
  add_missing(at->defaults, item.defaults);
  add_missing(at->default_requests, item.default_requests);
}

// A resource is in the sum if every container has it.
ResourceList sum(const std::vector<model::Container>& containers,
                 ResourceList model::Container::*list) {
  ResourceList sum;
  for (const model::Container& container : containers)
    for (const auto& [resource, amount] : container.*list) add_amount(sum, resource, amount);
  std::erase_if(sum, [&](const auto& entry) {
    return std::ranges::any_of(containers, [&](const model::Container& container) {
      return find_amount(container.*list, entry.first) == nullptr;
    });
  });
  return sum;
}

// The pod's: the sum of its containers, or more if an init container has more.
ResourceList of_pod(const model::PodSpec& spec, ResourceList model::Container::*list) {
  ResourceList all = sum(spec.containers, list);
  for (const model::Container& container : spec.init_containers) {
    for (const auto& [resource, amount] : container.*list) {
      const Quantity* known = find_amount(all, resource);
      if (known != nullptr && *known < amount) set_amount(all, resource, amount);
    }
  }
  return all;
}

void apply(const LimitRange& range, model::PodSpec& spec) {
  for (const LimitRangeItem& item : range.limits) {
    if (item.type != "Container") continue;
    for (auto* containers : {&spec.containers, &spec.init_containers}) {
      for (model::Container& container : *containers) {
        add_missing(container.limits, item.defaults);
        add_missing(container.requests, item.default_requests);
      }
    }
  }
}

std::vector<std::string> broken_limits(const LimitRange& range, const model::PodSpec& spec) {
  std::vector<std::string> broken;
  for (const LimitRangeItem& item : range.limits) {
    Checker checker(item, broken);
    if (item.type == "Container") {
      for (const auto* containers : {&spec.containers, &spec.init_containers})
        for (const model::Container& container : *containers)
          checker.check({container.requests, container.limits});
    } else if (item.type == "Pod") {
      const ResourceList requests = of_pod(spec, &model::Container::requests);
      checker.check({requests, of_pod(spec, &model::Container::limits)});
    }
  }
  return broken;
}

std::vector<std::string> broken_limits(const LimitRange& range,
                                       const model::PersistentVolumeClaim& claim) {
  std::vector<std::string> broken;
  ResourceList requests;
  if (claim.storage) set_amount(requests, kStorage, Quantity::from_units(*claim.storage));
  for (const LimitRangeItem& item : range.limits)
    if (item.type == "PersistentVolumeClaim") Checker(item, broken).check_requests(requests);
  return broken;
}

}  // namespace

void LimitRanges::put(const LimitRange& range) {
  OfNamespace& of = namespaces_[range.namespace_name];
  of.ranges[range.name] = range;
  of.made = false;
}

void LimitRanges::remove(const std::string& namespace_name, const std::string& name) {
  const auto at = namespaces_.find(namespace_name);
  if (at == namespaces_.end()) return;
  at->second.ranges.erase(name);
  at->second.made = false;
}

LimitRanges::OfNamespace* LimitRanges::find(const std::string& namespace_name) {
  const auto at = namespaces_.find(namespace_name);
  if (at == namespaces_.end()) return nullptr;
  OfNamespace& of = at->second;
  if (!of.made) {
    of.all = {};
    for (const auto& [name, range] : of.ranges)
      for (const LimitRangeItem& item : range.limits) merge(item, of.all);
    of.made = true;
  }
  return &of;
}

void LimitRanges::apply_defaults(model::Pod& pod) {
  if (const OfNamespace* of = find(pod.namespace_name)) apply(of->all, pod.spec);
}

// Each rule of one range is implied by that of all, so what breaks nothing of all breaks none.
template <typename Broken>
std::vector<std::string> LimitRanges::first_broken(const std::string& namespace_name,
                                                   Broken&& broken) {
  const OfNamespace* of = find(namespace_name);
  if (of == nullptr || broken(of->all).empty()) return {};
  for (const auto& [name, range] : of->ranges)
    if (std::vector<std::string> found = broken(range); !found.empty()) return found;
  return {};
}

std::vector<std::string> LimitRanges::broken(const model::Pod& pod) {
  return first_broken(pod.namespace_name,
                      [&](const LimitRange& range) { return broken_limits(range, pod.spec); });
}

std::vector<std::string> LimitRanges::broken(const model::PersistentVolumeClaim& claim) {
  return first_broken(claim.namespace_name,
                      [&](const LimitRange& range) { return broken_limits(range, claim); });
}

}  // namespace berth::ingest
