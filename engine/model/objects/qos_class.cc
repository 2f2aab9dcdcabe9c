#include "engine/model/objects/qos_class.h"

#include <algorithm>

namespace berth::model {
namespace {

constexpr std::array<std::string_view, 3> kQosNames = {"BestEffort", "Burstable", "Guaranteed"};

bool is_positive(const Quantity* amount) {
  return amount != nullptr && !amount->zero() && !amount->negative();
}

QosSums::Amounts compute_amounts(const ResourceList& list) {
  QosSums::Amounts found{};
  for (size_t i = 0; i < found.size(); ++i) {
    const auto at =
        std::ranges::find(list, QosSums::kResources[i], &ResourceList::value_type::first);
    if (at != list.end()) found[i] = &at->second;
  }
  return found;
}

}  // namespace

std::string_view qos_class_name(QosClass of) { return kQosNames[static_cast<size_t>(of)]; }

std::optional<QosClass> read_qos_class(std::string_view name) {
  const auto at = std::ranges::find(kQosNames, name);
  if (at == kQosNames.end()) return std::nullopt;
  return static_cast<QosClass>(at - kQosNames.begin());
}

void QosSums::add(const Amounts& requests, const Amounts& limits) {
  const auto put = [](std::optional<Quantity>& sum, const Quantity* amount) {
    if (!is_positive(amount)) return;
    if (!sum) sum.emplace();
    *sum += *amount;
  };
  for (size_t i = 0; i < kResources.size(); ++i) {
    put(requests_[i], requests[i]);
    put(limits_[i], limits[i]);
  }
}

void QosSums::add_container(const Amounts& requests, const Amounts& limits) {
  add(requests, limits);
  limited_ &= std::ranges::all_of(limits, is_positive);
}

void QosSums::add_pod(const Amounts& requests, const Amounts& limits, bool has_limits) {
  add(requests, limits);
  if (has_limits) limited_ &= std::ranges::all_of(limits, is_positive);
}

QosClass QosSums::qos_class() const {
  const auto given = [](const auto& sum) { return sum.has_value(); };
  const auto requests = std::ranges::count_if(requests_, given);
  const auto limits = std::ranges::count_if(limits_, given);
  if (requests == 0 && limits == 0) return QosClass::kBestEffort;
  bool equal = limited_ && requests == limits;
  for (size_t i = 0; i < kResources.size(); ++i)
    equal &= !requests_[i] || requests_[i] == limits_[i];
  return equal ? QosClass::kGuaranteed : QosClass::kBurstable;
}

QosClass computed_qos_class(const PodSpec& spec, const ResourceList& pod_limits) {
  QosSums sums;
  if (spec.has_pod_resources) {
    sums.add_pod(compute_amounts(spec.pod_requests), compute_amounts(pod_limits),
                 !pod_limits.empty());
    return sums.qos_class();
  }
  for (const auto* list : {&spec.containers, &spec.init_containers})
    for (const Container& one : *list)
      sums.add_container(compute_amounts(one.requests), compute_amounts(one.limits));
  return sums.qos_class();
}

QosClass qos_class(const PodSpec& spec) {
  return spec.qos_class ? *spec.qos_class : computed_qos_class(spec);
}

}  // namespace berth::model
