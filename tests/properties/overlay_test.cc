// Filters give the same answers for a row with an overlay of added and removed pods as for the real
// row after the change. Adding a pod to an overlay and removing it again restores the overlay.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/config/config.h"
#include "engine/framework/evaluation/row_filter.h"
#include "engine/runtime/core.h"
#include "tests/properties/random_relations.h"
#include "tests/properties/trace.h"

namespace berth::tests {
namespace {

using framework::Overlay;

// An empty selector matches pods added by an overlay, and no placed pods (as upstream). This is the
// only difference between the two, so such pods are skipped.
bool selects_all(const model::Pod& pod) {
  for (const auto& constraint : pod.spec.topology_spread_constraints)
    if (constraint.label_selector && *constraint.label_selector == model::LabelSelector{})
      return true;
  return false;
}

class OverlayWorld {
 public:
  explicit OverlayWorld(const World& world)
      : core_(config::parse(config(), "config"), built_plugins()) {
    for (const model::Node& node : world.nodes) cluster().put_node(node);
    for (const model::Namespace& object : world.namespaces) cluster().put_namespace(object);
    for (const model::SelectorOwner& object : world.selector_owners)
      cluster().put_selector_owner(object);
    for (model::Pod pod : world.placed) {
      pod.terminating = false;
      cluster().place(cluster().add_pod(pod), pod.spec.node_name);
    }
    core_.snapshot();
  }

  model::Cluster& cluster() { return core_.cluster(); }

  // Verdicts of the two filters about other pods.
  std::vector<int> verdicts(const model::PodRecord& pod, model::Row row, const Overlay* overlay) {
    framework::RowFilter filters(cluster(), core_.calls());
    framework::DecisionContext cycle;
    cycle.profile = core_.assembly().profiles[0].get();
    cycle.pod = &pod;
    cycle.pre_filter_ran.assign(cycle.profile->pre_filter.size(), true);
    cycle.pre_filter_skipped.assign(cycle.profile->pre_filter.size(), false);
    std::vector<int> found;
    std::string error;
    for (size_t i = 0; i < cycle.profile->filter.size(); ++i)
      found.push_back(filters.verdict(cycle, i, row, overlay, error));
    return found;
  }

 private:
  static std::string config() {
    return R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
      "profiles":[{"plugins":{"multiPoint":{"disabled":[{"name":"*"}],"enabled":[
        {"name":"PrioritySort"},{"name":"DefaultBinder"},{"name":"PodTopologySpread"},
        {"name":"InterPodAffinity"},{"name":"NodeResourcesFit"}  ]}}}]})";
  }

  runtime::Core core_;
};

model::PodOnNode on_node(const model::PodRecord& pod) {
  return {pod.id, pod.pod_template, pod.shape, pod.terminating};
}

RC_GTEST_PROP(Overlays, AreWhatIsThereOncePodsCameAndWent, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<uint64_t>());
  const World world =
      random_world(seed, {.nodes = 1 + static_cast<uint32_t>(seed % 12), .placed = 30, .pods = 8});
  OverlayWorld now(world);
  Dice dice(seed);
  model::Cluster& cluster = now.cluster();
  const model::Row rows = cluster.nodes().rows();
  for (const Step& step : world.steps) {
    if (step.kind != Step::Kind::kPod || selects_all(step.pod)) continue;
    model::Pod newcomer = step.pod;
    newcomer.nominated_node_name.clear();
    const model::PodRecord pod = cluster.record_of(newcomer);
    const auto row = static_cast<model::Row>(dice.number(0, int64_t{rows} - 1));
    const std::string node(cluster.node_name(row));
    const std::vector<int> before = now.verdicts(pod, row, nullptr);

    // Adds some new pods and removes some of the existing ones.
    Overlay overlay(cluster, row);
    std::vector<model::PodId> came, went;
    for (int64_t i = dice.number(0, 2); i > 0; --i) {
      const auto number = std::to_string(dice.number(0, 1'000'000));
      const model::Pod fresh = random_pod(dice, "new-" + number, rows);
      if (cluster.find_pod(fresh.namespace_name, fresh.name)) continue;
      came.push_back(cluster.add_pod(fresh));
      cluster.carried().learn(cluster.pod(came.back()).shape);
      overlay.add_pod(on_node(cluster.pod(came.back())));
    }
    for (const model::Pod& placed : world.placed) {
      if (placed.spec.node_name != node || !dice.chance(50)) continue;
      went.push_back(cluster.find_pod(placed.namespace_name, placed.name));
      overlay.remove_pod(on_node(cluster.pod(went.back())));
    }
    const std::vector<int> expected = now.verdicts(pod, row, &overlay);
    for (const model::PodId one : came) cluster.place(one, row);
    for (const model::PodId one : went) cluster.unplace(one);
    RC_ASSERT(now.verdicts(pod, row, nullptr) == expected);

    // Undo both changes.
    for (const model::PodId one : went) cluster.place(one, node);
    for (const model::PodId one : came) cluster.unplace(one);
    RC_ASSERT(now.verdicts(pod, row, nullptr) == before);
    for (const model::PodId one : came) overlay.remove_pod(on_node(cluster.pod(one)));
    for (const model::PodId one : went) overlay.add_pod(on_node(cluster.pod(one)));
    RC_ASSERT(now.verdicts(pod, row, &overlay) == before);
    cluster.verify_counts();
  }
}

}  // namespace
}  // namespace berth::tests
