#include "engine/model/objects/change.h"

#include <iterator>

namespace berth::model {

Change deleted_node(std::string name) {
  Node node;
  node.name = std::move(name);
  return deleted(std::move(node));
}

Change deleted_pod(std::string namespace_name, std::string name) {
  return deleted(TemplatePod::named(std::move(namespace_name), std::move(name)));
}

Change finished_pod(std::string namespace_name, std::string name) {
  TemplatePod pod = TemplatePod::named(std::move(namespace_name), std::move(name));
  pod.phase = PodPhase::kSucceeded;
  return modified(std::move(pod));
}

std::string_view kind_of(SelectorOwnerKind kind) {
  constexpr std::string_view kKinds[] = {"Service", "ReplicationController", "ReplicaSet",
                                         "StatefulSet"};
  return kKinds[static_cast<size_t>(kind)];
}

std::string_view kind_of(const Object& object) {
  return std::visit([](const auto& one) { return kind_of(one); }, object);
}

std::string full_name(const Object& object) {
  return std::visit([](const auto& one) { return full_name(one); }, object);
}

}  // namespace berth::model
