#include "engine/ingest/admission/pods/default_tolerations.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/admission/policies/resource_lists.h"

namespace berth::ingest {

void add_toleration(const model::Toleration& toleration, std::vector<model::Toleration>& list) {
  bool found = false;
  for (model::Toleration& one : list) {
    if (one.key != toleration.key || one.op != toleration.op || one.value != toleration.value ||
        one.effect != toleration.effect)
      continue;
    one.seconds = toleration.seconds;
    found = true;
  }
  if (!found) list.push_back(toleration);
}

void tolerate_for_a_while(model::PodSpec& spec) {
  for (const std::string_view key : kToleratedForAWhile) {
    const auto says = [&](const model::Toleration& toleration) {
      return (toleration.key == key || toleration.key.empty()) &&
             (toleration.effect == "NoExecute" || toleration.effect.empty());
    };
    if (std::ranges::none_of(spec.tolerations, says))
      spec.tolerations.push_back({std::string(key), "Exists", "", "NoExecute", kTolerationSeconds});
  }
}

void tolerate_requested(model::PodSpec& spec) {
  std::set<std::string_view> resources;
  const auto collect = [&](const std::vector<model::Container>& containers) {
    for (const model::Container& container : containers)
      for (const auto& [name, amount] : container.requests)
        if (is_extended(name)) resources.insert(name);
  };
  collect(spec.containers);
  collect(spec.init_containers);
  for (const std::string_view name : resources)
    add_toleration({std::string(name), "Exists", "", "NoSchedule"}, spec.tolerations);
}

bool covers(const model::Toleration& by, const model::Toleration& of) {
  if (by == of) return true;
  if (by.key != of.key && (!by.key.empty() || by.op != "Exists")) return false;
  if (by.effect != of.effect && !by.effect.empty()) return false;
  if (by.effect == "NoExecute" && by.seconds && (!of.seconds || *of.seconds > *by.seconds))
    return false;
  if (by.op == "Exists") return true;
  return (by.op.empty() || by.op == "Equal") && of.op == "Equal" && by.value == of.value;
}

std::vector<model::Toleration> merged_tolerations(std::vector<model::Toleration> first,
                                                  const std::vector<model::Toleration>& second) {
  std::vector<model::Toleration> all = std::move(first), merged;
  all.insert(all.end(), second.begin(), second.end());
  for (size_t i = 0; i < all.size(); ++i) {
    const auto covered = [&](const model::Toleration& by) { return covers(by, all[i]); };
    const bool later =
        std::any_of(all.begin() + static_cast<ptrdiff_t>(i) + 1, all.end(),
                    [&](const model::Toleration& by) { return by != all[i] && covered(by); });
    if (!later && std::ranges::none_of(merged, covered)) merged.push_back(all[i]);
  }
  return merged;
}

}  // namespace berth::ingest
