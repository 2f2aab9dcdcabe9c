#include "engine/validator/world/given.h"

#include <variant>

namespace berth::validator {
namespace {

class PutsGiven {
 public:
  explicit PutsGiven(model::Cluster& cluster) : cluster_(cluster) {}
  void operator()(const model::Node& node) const { cluster_.put_node(node); }
  void operator()(const model::Namespace& space) const { cluster_.put_namespace(space); }
  void operator()(const model::SelectorOwner& owner) const { cluster_.put_selector_owner(owner); }
  void operator()(const model::DisruptionBudget& budget) const { cluster_.put_budget(budget); }
  void operator()(const model::VolumeObject& volume) const { cluster_.volumes().put(volume); }
  void operator()(const model::PodGroup& group) const { cluster_.put_pod_group(group); }
  template <typename Other>
  void operator()(const Other&) const {}

 private:
  model::Cluster& cluster_;
};

}  // namespace

GivenPods put_given(const GivenObjects& given, model::Cluster& cluster) {
  for (const model::Object& object : given.others) std::visit(PutsGiven(cluster), object);
  GivenPods made;
  for (const model::Pod& pod : given.pods) {
    if (pod.finished()) continue;
    if (cluster.pods().contains(cluster.find_pod(pod.namespace_name, pod.name))) continue;
    const model::PodId id = cluster.add_pod(pod);
    if (pod.bound()) cluster.place(id, pod.spec.node_name);
    (pod.bound() ? made.placed : made.waiting).push_back(id);
  }
  return made;
}

}  // namespace berth::validator
