// Verdicts for a row with pods added or removed are those for the model with these pods placed or
// removed. Resetting the row, or undoing its changes, brings back the verdicts of before.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/config/config.h"
#include "engine/framework/evaluation/rows/row_filter.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/properties/random_relations.h"
#include "tests/properties/trace.h"

namespace berth::tests {
namespace {

using framework::ChangedRow;
using framework::TrialPod;

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

  model::Cluster& cluster() { return runtime::ModelAccess::of(core_); }

  // As after a PreFilter that no plugin skipped, for a model that is not modified afterwards.
  framework::DecisionContext context(const model::PodRecord& pod) {
    framework::DecisionContext made;
    made.profile = core_.assembly().profiles[0].get();
    made.pod = &pod;
    made.own_pre_filter.ran.assign(made.profile->pre_filter.size(), true);
    made.own_pre_filter.skipped.assign(made.profile->pre_filter.size(), false);
    made.resolve_filters(states_, core_.calls());
    made.begin_filters(cluster());
    made.refresh_filters();
    return made;
  }
  // What each filter says of the row.
  std::vector<int> verdicts(const model::PodRecord& pod, model::Row row) {
    return verdicts(context(pod), row, nullptr);
  }
  std::vector<int> verdicts(const framework::DecisionContext& context, model::Row row,
                            const ChangedRow* changed) {
    framework::RowFilter filters(cluster(), core_.calls());
    std::vector<int> found;
    std::string error;
    for (size_t i = 0; i < context.profile->filter.size(); ++i)
      found.push_back(filters.verdict(context, i, row, changed, error));
    return found;
  }
  host::CallContext& calls() { return core_.calls(); }
  framework::Profile& profile() { return *core_.assembly().profiles[0]; }

 private:
  static std::string config() {
    return R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
      "profiles":[{"plugins":{"multiPoint":{"disabled":[{"name":"*"}],"enabled":[
        {"name":"PrioritySort"},{"name":"DefaultBinder"},{"name":"PodTopologySpread"},
        {"name":"InterPodAffinity"},{"name":"NodeResourcesFit"}  ]}}}]})";
  }

  runtime::Core core_;
  framework::TemplateStates states_{framework::Reuse::kShared};
};

RC_GTEST_PROP(Overlays, GiveTheVerdictsOfTheChangedModel, ()) {
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
    const std::vector<int> before = now.verdicts(pod, row);

    // Adds some new pods and removes some of the existing ones.
    std::vector<model::PodId> came, went;
    for (int64_t i = dice.number(0, 2); i > 0; --i) {
      const auto number = std::to_string(dice.number(0, 1'000'000));
      const model::Pod fresh = random_pod(dice, "new-" + number, rows);
      if (cluster.find_pod(fresh.namespace_name, fresh.name)) continue;
      came.push_back(cluster.add_pod(fresh));
    }
    for (const model::Pod& placed : world.placed)
      if (placed.spec.node_name == node && dice.chance(50))
        went.push_back(cluster.find_pod(placed.namespace_name, placed.name));
    std::vector<TrialPod> adds, removes;
    for (const model::PodId one : came) adds.emplace_back(now.profile(), cluster, cluster.pod(one));
    for (const model::PodId one : went)
      removes.emplace_back(now.profile(), cluster, cluster.pod(one));
    const framework::DecisionContext context = now.context(pod);
    ChangedRow changed(cluster, now.calls());
    changed.begin(context, row);
    const auto change = [&] {
      for (const TrialPod& one : adds) {
        changed.add_pod(one);
        now.verdicts(context, row, &changed);  // running sums are read in between
      }
      for (const TrialPod& one : removes) changed.remove_pod(one);
      return now.verdicts(context, row, &changed);
    };
    const std::vector<int> expected = change();
    changed.reset();
    RC_ASSERT(now.verdicts(context, row, &changed) == before);
    RC_ASSERT(change() == expected);
    ChangedRow copy(cluster, now.calls());
    copy.copy_from(changed);
    RC_ASSERT(now.verdicts(context, row, &copy) == expected);
    for (const TrialPod& one : adds) changed.remove_pod(one);
    for (const TrialPod& one : removes) changed.add_pod(one);
    RC_ASSERT(now.verdicts(context, row, &changed) == before);

    // The same in the model, and back again.
    for (const model::PodId one : came) cluster.place(one, row);
    for (const model::PodId one : went) cluster.unplace(one);
    RC_ASSERT(now.verdicts(pod, row) == expected);
    for (const model::PodId one : went) cluster.place(one, node);
    for (const model::PodId one : came) cluster.unplace(one);
    RC_ASSERT(now.verdicts(pod, row) == before);
    cluster.verify_counts();
  }
}

}  // namespace
}  // namespace berth::tests
