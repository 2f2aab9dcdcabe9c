// Hooks bound to the model: which pods share a state, which columns are passed, which changes make
// an answer stale.

#include <gtest/gtest.h>

#include <cstring>

#include "engine/framework/hooks/bound_hook.h"
#include "engine/framework/hooks/overlay.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using framework::BoundHook;
using framework::CallColumns;
using framework::TemplateHook;

class HooksTest : public CoreTest {
 protected:
  void SetUp() override { start(); }

  framework::Profile& profile() {
    return const_cast<framework::Profile&>(*core->assembly().profiles[0]);
  }
  template <typename Hooks>
  static BoundHook& named(Hooks& hooks, const std::string& plugin) {
    for (auto& hook : hooks)
      if (hook.point->plugin() == plugin) return hook.bound;
    throw std::runtime_error("no hook of " + plugin);
  }
  BoundHook& filter(const std::string& plugin) { return named(profile().filter, plugin); }

  TemplateHook& state(BoundHook& hook, const model::Pod& pod) {
    return hook.of(cluster().record_of(pod), core->calls());
  }

  static model::Pod requesting(const std::string& name, int64_t milli_cpu) {
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(milli_cpu)}};
    return made;
  }
};

TEST_F(HooksTest, TemplatesEqualInWhatAHookDeclaresShareItsState) {
  model::Pod plain = requesting("a", 100), tolerant = requesting("b", 100),
             heavy = requesting("c", 200);
  tolerant.spec.tolerations = {{"k", "Exists", "", ""}};
  tolerant.spec.labels = {{"app", "web"}};
  BoundHook& fit = filter("NodeResourcesFit");
  EXPECT_EQ(&state(fit, plain), &state(fit, tolerant));
  EXPECT_NE(&state(fit, plain), &state(fit, heavy));
  EXPECT_EQ(fit.signatures(), 2u);
  BoundHook& taints = filter("TaintToleration");
  EXPECT_NE(&state(taints, plain), &state(taints, tolerant));
  EXPECT_EQ(&state(taints, plain), &state(taints, heavy));
  EXPECT_EQ(taints.signatures(), 2u);
}

// 10,000 pods that differ only in their names are one template to a hook.
TEST_F(HooksTest, NamesMakeNoStates) {
  BoundHook& fit = filter("NodeResourcesFit");
  TemplateHook* first = &state(fit, requesting("p", 100));
  for (int i = 0; i < 100; ++i) {
    model::Pod other = requesting("p" + std::to_string(i), 100);
    other.spec.labels = {{"pod-index", std::to_string(i)}};
    EXPECT_EQ(&state(fit, other), first);
  }
  EXPECT_EQ(fit.signatures(), 1u);
}

TEST_F(HooksTest, FamiliesArriveAsNullUntilPrepareNamesTheirMembers) {
  cluster().put_node(node("n"));
  core->snapshot();
  BoundHook& fit = filter("NodeResourcesFit");
  model::PodRecord ref = cluster().record_of(requesting("p", 100));
  CallColumns columns;
  const model::PodRecord* record = &ref;
  fit.gather_pods(nullptr, {&record, 1}, {}, columns);
  const std::vector<std::string>& declared = fit.hook().inputs();
  ASSERT_EQ(columns.columns.size(), declared.size());
  size_t families = 0;
  for (size_t i = 0; i < declared.size(); ++i) {
    bool family = declared[i].ends_with(":*");
    families += family;
    EXPECT_EQ(columns.columns[i].data == nullptr, family) << declared[i];
  }
  EXPECT_EQ(families, 2u);
  TemplateHook& prepared = fit.of(ref, core->calls());
  ASSERT_TRUE(prepared.prepared.narrowed());
  fit.slice(prepared, 0, 1, columns);
  ASSERT_EQ(columns.columns.size(), prepared.inputs.size());
  for (size_t i = 0; i < prepared.inputs.size(); ++i) {
    EXPECT_NE(columns.columns[i].data, nullptr);
    EXPECT_EQ(columns.columns[i].count, 1u);
    // Columns that were not declared are not passed.
    const std::string& id = cluster().catalog().info(prepared.inputs[i]).id;
    bool covered = false;
    for (const std::string& one : declared) covered |= model::covers(one, id);
    EXPECT_TRUE(covered) << id;
  }
}

TEST_F(HooksTest, StampsFollowTheInputsAndNothingElse) {
  cluster().put_node(node("n"));
  core->snapshot();
  model::Pod p = requesting("p", 100);
  BoundHook& unschedulable = filter("NodeUnschedulable");
  BoundHook& fit = filter("NodeResourcesFit");
  uint64_t cordon = unschedulable.stamp(state(unschedulable, p));
  uint64_t room = fit.stamp(state(fit, p));
  EXPECT_NE(cordon, 0u);
  EXPECT_EQ(fit.stamp(state(fit, p)), room);
  cluster().place(cluster().add_pod(p), "n");
  EXPECT_NE(fit.stamp(state(fit, p)), room);
  EXPECT_EQ(unschedulable.stamp(state(unschedulable, p)), cordon);
  model::Node cordoned = node("n");
  cordoned.unschedulable = true;
  cluster().put_node(cordoned);
  EXPECT_NE(unschedulable.stamp(state(unschedulable, p)), cordon);
}

// Placing a pod changes inputs of its row that the filter of resources follows, and none that the
// filter of cordoned nodes does; what all rows share stays.
TEST_F(HooksTest, TheLogNamesTheRowsWhoseInputsChanged) {
  for (uint32_t i = 0; i < 5; ++i) cluster().put_node(node("n" + std::to_string(i)));
  core->snapshot();
  BoundHook& fit = filter("NodeResourcesFit");
  BoundHook& unschedulable = filter("NodeUnschedulable");
  const model::PodRecord p = cluster().record_of(requesting("p", 100));
  TemplateHook& of_fit = fit.of(p, core->calls());
  TemplateHook& of_unschedulable = unschedulable.of(p, core->calls());
  const uint64_t shared = fit.shared_stamp(of_fit), position = cluster().log().end();
  EXPECT_NE(shared, 0u);
  cluster().place(cluster().add_pod(p), 3);
  EXPECT_EQ(fit.shared_stamp(of_fit), shared);
  ASSERT_EQ(cluster().log().end(), position + 1);
  const model::ChangeLog::Entry& entry = cluster().log().at(position);
  EXPECT_EQ(entry.row, 3u);
  EXPECT_NE(entry.changes & fit.inputs_of_row(of_fit), 0u);
  EXPECT_EQ(entry.changes & unschedulable.inputs_of_row(of_unschedulable), 0u);
}

// Answers over a dictionary are by code but cached by row: a row whose code changes has another
// answer, even if the code existed before.
TEST_F(HooksTest, AStampOverADictionaryFollowsTheCodes) {
  model::Node tainted = node("n");
  tainted.taints = {{"k", "v", "NoSchedule"}};
  cluster().put_node(tainted);
  cluster().put_node(node("m"));
  core->snapshot();
  BoundHook& taints = filter("TaintToleration");
  ASSERT_TRUE(taints.over_dictionary());
  EXPECT_EQ(taints.positions(), 2u);
  TemplateHook& of = state(taints, pod("p"));
  uint64_t before = taints.stamp(of);
  cluster().put_node(node("n"));
  EXPECT_EQ(taints.positions(), 2u);
  EXPECT_NE(taints.stamp(of), before);
}

TEST_F(HooksTest, ANodeWhoseTaintsGoTakesPods) {
  model::Node tainted = node("n");
  tainted.taints = {{"k", "v", "NoSchedule"}};
  cluster().put_node(tainted);
  schedule({pod("before")});
  cluster().put_node(node("n"));
  schedule({pod("after")});
  cluster().put_node(tainted);
  schedule({pod("again")});
  EXPECT_EQ(results, (std::vector<std::string>{"before unschedulable", "after scheduled n",
                                               "again unschedulable"}));
}

// An overlay shows the same values as the table after the pods are placed.
TEST_F(HooksTest, AnOverlayIsTheRowWithThePodsOnIt) {
  for (const char* name : {"a", "b", "c"}) cluster().put_node(node(name));
  core->snapshot();
  model::Pod first = requesting("first", 300), second = requesting("second", 7);
  first.spec.containers[0].ports = {{"", "TCP", 80}, {"10.0.0.1", "UDP", 53}};
  second.spec.containers[0].ports = {{"", "TCP", 80}, {"", "TCP", 81}};
  second.spec.containers[0].requests.emplace_back("example.com/gpu",
                                                  model::Quantity::from_units(2));
  model::PodRecord one = cluster().record_of(first), two = cluster().record_of(second);
  constexpr model::Row kRow = 1;
  framework::Overlay overlay(cluster(), kRow);
  overlay.add_pod({{}, one.pod_template, one.shape, false});
  overlay.add_pod({{}, two.pod_template, two.shape, false});

  const std::vector<std::string> ids = {"node.pods",
                                        "node.ports",
                                        "node.requested:cpu",
                                        "node.requested:example.com/gpu",
                                        "node.name",
                                        "node.allocatable:cpu",
                                        "node.nonzero_requested:cpu",
                                        "node.nonzero_requested:memory"};
  auto row_bytes = [&](const model::ColumnInfo& info, const berth_column& view, model::Row row) {
    size_t width = model::element_size(info.type);
    size_t begin = info.list ? view.starts[row] : row, count = info.list ? view.sizes[row] : 1;
    return std::string(static_cast<const char*>(view.data) + begin * width, count * width);
  };
  std::vector<std::string> seen;
  for (const std::string& id : ids) {
    model::ColumnId column = cluster().find_column(id);
    ASSERT_NE(column, 0u) << id;
    const model::ColumnInfo& info = cluster().catalog().info(column);
    model::Gathered gathered;
    gathered.begin(info.type, info.list);
    overlay.read(column, info, cluster().view(column), gathered);
    seen.push_back(row_bytes(info, gathered.view(), 0));
  }
  cluster().place(cluster().add_pod(one), kRow);
  cluster().place(cluster().add_pod(two), kRow);
  for (size_t i = 0; i < ids.size(); ++i) {
    model::ColumnId column = cluster().find_column(ids[i]);
    EXPECT_EQ(seen[i], row_bytes(cluster().catalog().info(column), cluster().view(column), kRow))
        << ids[i];
  }
}

}  // namespace
}  // namespace berth::tests
