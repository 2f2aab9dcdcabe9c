#include "tests/properties/brute_force/brute_force.h"

namespace berth::tests::brute {

void Objects::put(const model::SelectorOwner& owner) {
  selector_owners[{owner.kind, owner.namespace_name, owner.name}] = owner;
}

void Objects::place(const model::Pod& pod, const std::string& node) {
  const Name name{pod.namespace_name, pod.name};
  model::Pod& copy = placed[name] = pod;
  copy.spec.node_name = node;
  nominated.erase(name);
}

void Objects::apply(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kPod:
      return;
    case Step::Kind::kPutNode:
      nodes[step.node.name] = step.node;
      return;
    case Step::Kind::kRemoveNode:
      nodes.erase(step.node.name);
      return;
    case Step::Kind::kRemovePod:
      placed.erase({step.pod.namespace_name, step.pod.name});
      nominated.erase({step.pod.namespace_name, step.pod.name});
      return;
    case Step::Kind::kPutNamespace:
      namespaces[step.name_space.name] = step.name_space;
      return;
    case Step::Kind::kRemoveNamespace:
      namespaces.erase(step.name_space.name);
      return;
    case Step::Kind::kPutSelectorOwner:
      put(step.selector_owner);
      return;
    case Step::Kind::kRemoveSelectorOwner:
      selector_owners.erase(
          {step.selector_owner.kind, step.selector_owner.namespace_name, step.selector_owner.name});
      return;
  }
}

Objects objects_of(const World& world) {
  Objects made;
  for (const model::Node& node : world.nodes) made.nodes[node.name] = node;
  for (const model::Namespace& object : world.namespaces) made.namespaces[object.name] = object;
  for (const model::SelectorOwner& object : world.selector_owners) made.put(object);
  for (const model::Pod& pod : world.placed) made.place(pod, pod.spec.node_name);
  return made;
}

std::vector<NodeInfo> node_infos(const Objects& objects) {
  std::vector<NodeInfo> all;
  std::map<std::string, size_t> index;
  for (const auto& [name, node] : objects.nodes) {
    index[name] = all.size();
    all.push_back({&node, {}});
  }
  for (const auto& [name, pod] : objects.placed)
    if (auto at = index.find(pod.spec.node_name); at != index.end())
      all[at->second].pods.push_back(&pod);
  return all;
}

std::vector<const model::Pod*> nominated_on(const Objects& objects, const std::string& node,
                                            const model::Pod& pod) {
  std::vector<const model::Pod*> found;
  for (const auto& [name, other] : objects.nominated)
    if (other.nominated_node_name == node && other.uid != pod.uid &&
        other.spec.priority.value_or(0) >= pod.spec.priority.value_or(0))
      found.push_back(&other);
  return found;
}

const std::string* find(const model::StringMap& map, const std::string& key) {
  for (const auto& [name, value] : map)
    if (name == key) return &value;
  return nullptr;
}

}  // namespace berth::tests::brute
