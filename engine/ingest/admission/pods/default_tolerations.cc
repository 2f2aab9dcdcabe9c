#include "engine/ingest/admission/pods/default_tolerations.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/ingest/admission/policies/resource_lists.h"

namespace berth::ingest {

void add_toleration(const model::Toleration& toleration, model::PodSpec& spec) {
  if (std::ranges::find(spec.tolerations, toleration) == spec.tolerations.end())
    spec.tolerations.push_back(toleration);
}

void tolerate_for_a_while(model::PodSpec& spec) {
  for (const std::string_view key : kToleratedForAWhile) {
    const auto says = [&](const model::Toleration& toleration) {
      return (toleration.key == key || toleration.key.empty()) &&
             (toleration.effect == "NoExecute" || toleration.effect.empty());
    };
    if (std::ranges::none_of(spec.tolerations, says))
      spec.tolerations.push_back({std::string(key), "Exists", "", "NoExecute"});
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
    add_toleration({std::string(name), "Exists", "", "NoSchedule"}, spec);
}

}  // namespace berth::ingest
