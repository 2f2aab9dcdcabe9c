#include "engine/controllers/kubelet/admission/preemption.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/controllers/kubelet/pod/pod_rules.h"

namespace berth::controllers::kubelet {
namespace {

using Pods = std::vector<const Pod*>;

// The amount of a resource that is missing.
struct Need {
  std::string_view resource;
  int64_t amount = 0;
};
using Needs = std::vector<Need>;

// The amount that stopping the pod frees.
int64_t freed(const Pod& pod, std::string_view resource) {
  if (resource == "pods") return 1;
  return model::resource_amount(resource, ranked_request(pod, resource));
}

Needs rest_of(const Needs& needs, const Pods& stopped) {
  Needs rest;
  for (Need need : needs) {
    for (const Pod* pod : stopped) {
      need.amount -= freed(*pod, need.resource);
      if (need.amount <= 0) break;
    }
    if (need.amount > 0) rest.push_back(need);
  }
  return rest;
}

Pods joined(Pods first, const Pods& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string not_enough(const Needs& needs) {
  std::string text = "no set of running pods found to reclaim resources: [";
  for (const Need& one : needs) text += fmt::format("(res: {}, q: {}), ", one.resource, one.amount);
  return text + ']';
}

// From 0, if the pod frees all that is needed, to the number of needs. Each counts the same,
// whatever its unit.
double distance_of(const Needs& needs, const Pod& pod) {
  double sum = 0;
  for (const Need& need : needs) {
    const double rest = static_cast<double>(need.amount - freed(pod, need.resource));
    const double part = rest / static_cast<double>(need.amount);
    if (rest > 0) sum += part * part;
  }
  return sum;
}

bool requests_no_more(const Pod& pod, const Pod& other) {
  for (const std::string_view resource : {"memory", "cpu"}) {
    const int64_t own = freed(pod, resource), others = freed(other, resource);
    if (own != others) return own < others;
  }
  return true;
}

size_t closest(const Needs& needs, const Pods& pods) {
  double shortest = static_cast<double>(needs.size() + 1);
  size_t best = 0;
  for (size_t i = 0; i < pods.size(); ++i) {
    const double distance = distance_of(needs, *pods[i]);
    if (distance < shortest || (distance == shortest && requests_no_more(*pods[i], *pods[best]))) {
      shortest = distance;
      best = i;
    }
  }
  return best;
}

// Precondition: the pods together free what is needed. The last pod takes the place of a chosen
// one, which decides between equal pods later.
Pods chosen(Pods pods, Needs needs) {
  Pods list;
  while (!needs.empty()) {
    const size_t best = closest(needs, pods);
    list.push_back(pods[best]);
    needs = rest_of(needs, {pods[best]});
    pods[best] = pods.back();
    pods.pop_back();
  }
  return list;
}

Needs needs_of(const std::vector<Shortage>& shortages) {
  Needs needs;
  for (const Shortage& one : shortages) needs.push_back({one.resource, one.missing()});
  return needs;
}

}  // namespace

Preemption pods_to_preempt(const Pod& critical, const std::vector<const Pod*>& running,
                           const std::vector<Shortage>& shortages) {
  Pods best_effort, burstable, guaranteed;
  for (const Pod* pod : running) {
    if (!is_preemptable(critical, *pod)) continue;
    const QosClass its = qos_class(*pod);
    Pods& list = its == QosClass::kGuaranteed  ? guaranteed
                 : its == QosClass::kBurstable ? burstable
                                               : best_effort;
    list.push_back(pod);
  }
  const Needs needs = needs_of(shortages);
  const Pods lower = joined(best_effort, burstable);
  if (const Needs rest = rest_of(needs, joined(lower, guaranteed)); !rest.empty())
    return not_enough(rest);
  const Pods of_guaranteed = chosen(guaranteed, rest_of(needs, lower));
  const Pods of_burstable = chosen(burstable, rest_of(needs, joined(best_effort, of_guaranteed)));
  const Pods of_best_effort =
      chosen(best_effort, rest_of(needs, joined(of_burstable, of_guaranteed)));
  return joined(joined(of_best_effort, of_burstable), of_guaranteed);
}

}  // namespace berth::controllers::kubelet
