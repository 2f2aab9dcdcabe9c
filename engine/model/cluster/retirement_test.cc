// A collection retires everything without references, and its ids are used again.

#include <gtest/gtest.h>

#include <string>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

constexpr const char* kHost = "kubernetes.io/hostname";
constexpr const char* kDisk = "disk";

// Numbers of objects of each kind that retires, and numbers of ids that were ever given.
struct Counts {
  size_t strings, templates, shapes, node_selectors, label_selectors, images, taints, columns,
      domains, slots;
  bool operator==(const Counts&) const = default;
};

class Retirement : public ::testing::Test {
 protected:
  Retirement() {
    cluster_.find_column("node.taints");
    cluster_.find_column("node.images");
    cluster_.find_column("pod.containers");
    cluster_.pin_columns();
  }

  Node node(const std::string& name) const {
    Node node;
    node.name = name;
    node.labels = {{kDisk, "disk-" + name}, {kHost, name}, {"only-" + name, "1"}};
    node.annotations = {{"note-" + name, "text-" + name}};
    node.taints = {{"taint-" + name, "value", "PreferNoSchedule"}};
    node.allocatable = {{"cpu", Quantity::from_units(8)},
                        {"example.com/" + name, Quantity::from_units(1)}};
    node.images = {{{"image-" + name + ":v1"}, 5}};
    return node;
  }

  // A pod that names things of its own wherever it can.
  Pod pod(const std::string& name, const std::string& on) const {
    Pod pod;
    pod.namespace_name = "space-" + name;
    pod.name = name;
    pod.uid = "uid-" + name;
    pod.nominated_node_name = "nominated-" + name;
    pod.controller = Controller{"apps/v1", "ReplicaSet", "set-" + name, "set-uid-" + name};
    PodSpec& spec = pod.spec;
    spec.node_name = on;
    spec.scheduler_name = "scheduler-" + name;
    spec.labels = {{"app", name}};
    spec.node_selector = {{kDisk, "fast-" + name}};
    spec.scheduling_gates = {"example.com/" + name};
    spec.tolerations = {{"taint-" + name, "Equal", "value-" + name, ""}};
    spec.containers.resize(1);
    spec.containers[0].name = "container-" + name;
    spec.containers[0].image = "own-" + name;
    spec.containers[0].requests = {{"example.com/" + name, Quantity::from_units(1)}};
    spec.containers[0].ports = {{"10.0.0." + name, "TCP", 80}};
    PodAffinityTerm term;
    term.label_selector = LabelSelector{{{"app", name}}, {}};
    term.namespaces = {"other-" + name};
    term.topology_key = "only-" + on;
    spec.affinity.pod_anti_affinity = PodAffinity{{term}, {}};
    TopologySpreadConstraint spread;
    spread.topology_key = kHost;
    spread.label_selector = LabelSelector{{{"spread", name}}, {}};
    spread.match_label_keys = {"app"};
    spec.topology_spread_constraints = {spread};
    return pod;
  }

  SelectorOwner service(const std::string& name) const {
    SelectorOwner owner;
    owner.kind = SelectorOwnerKind::kReplicaSet;
    owner.namespace_name = "space-" + name;
    owner.name = "set-" + name;
    owner.selector = LabelSelector{{{"app", name}}, {}};
    return owner;
  }

  DisruptionBudget budget(const std::string& name) const {
    DisruptionBudget budget;
    budget.namespace_name = "guarded-" + name;
    budget.name = "budget-" + name;
    budget.selector = LabelSelector{{{"guard", name}}, {}};
    return budget;
  }

  // The ids that a decision would ask for on behalf of the pod.
  void look(PodId id) {
    const ShapeId shape = cluster_.pod(id).shape;
    const ShapeTerms& terms = cluster_.shapes().terms(shape);
    const CarriedClass anti{.group = TermGroup::kAntiAffinity, .unknown_namespaces = true};
    cluster_.carried().match_set(cluster_.carried().carry(anti), shape);
    CountQuery query{.terms = terms.spread.terms, .key = cluster_.strings().find(kHost)};
    cluster_.counts().row_column(cluster_.counts().query(query));
    const PodTemplate& t = cluster_.templates()[cluster_.pod(id).pod_template];
    query.resource = t.requests[0].first;
    cluster_.counts().row_column(cluster_.counts().query(query));
    cluster_.find_column("node.matches:" + std::to_string(t.node_selector));
    cluster_.find_column("node.tolerated:" + std::to_string(t.tolerations));
    for (const auto& [resource, amount] : t.requests)
      for (const char* family : {"node.requested:", "node.allocatable:"})
        cluster_.find_column(family + std::string(cluster_.text(resource)));
  }

  // Nodes and pods come, are looked at, and go; one node and one pod of them stay for a round.
  void round(const std::string& number) {
    for (const char* suffix : {"a", "b"}) {
      const std::string name = number + suffix;
      cluster_.put_node(node(name));
      cluster_.put_namespace({"space-" + name, {{"team", name}}});
      cluster_.put_selector_owner(service(name));
      cluster_.put_budget(budget(name));
      cluster_.order_rows();
      const PodId id = cluster_.add_pod(pod(name, name));
      cluster_.nominate(id);
      cluster_.place(id, name);
      look(id);
    }
    for (const std::string& name : gone_) remove(name);
    remove(number + "a");
    gone_ = {number + "b"};
    cluster_.order_rows();
    cluster_.collect(Cluster::Retired::kAll);
    cluster_.verify_counts();
  }

  void remove(const std::string& name) {
    cluster_.remove_pod(cluster_.find_pod("space-" + name, name));
    EXPECT_TRUE(cluster_.remove_node(name));
    EXPECT_TRUE(cluster_.remove_namespace("space-" + name));
    EXPECT_TRUE(cluster_.remove_selector_owner(SelectorOwnerKind::kReplicaSet, "space-" + name,
                                               "set-" + name));
    EXPECT_TRUE(cluster_.remove_budget("guarded-" + name, "budget-" + name));
  }

  size_t host_domains() {
    return cluster_.view(cluster_.find_column(std::string("node.domain:") + kHost)).dictionary_size;
  }

  size_t images() { return cluster_.view(cluster_.find_column("image.nodes")).count; }

  Counts counts() {
    return {
        cluster_.strings().count(),   cluster_.templates().count(),       cluster_.shapes().count(),
        cluster_.selectors().count(), cluster_.label_selectors().count(), images(),
        cluster_.taint_sets().size(), cluster_.catalog().size(),          host_domains(),
        cluster_.nodes().slots()};
  }

  Cluster cluster_;
  std::vector<std::string> gone_;  // names that the next round removes
};

TEST_F(Retirement, NothingGrows) {
  Counts before{};
  for (int i = 10; i < 40; ++i) {
    round(std::to_string(i));
    const Counts now = counts();  // asks for columns, which takes part in the epochs
    if (i == 20) before = now;
    if (i > 20) {
      ASSERT_EQ(now, before) << "round " << i;
    }
  }
}

TEST_F(Retirement, WhatIsThereStays) {
  for (int i = 10; i < 20; ++i) round(std::to_string(i));
  const PodId id = cluster_.find_pod("space-19b", "19b");
  ASSERT_TRUE(id);
  const PodRecord& record = cluster_.pod(id);
  const PodTemplate& t = cluster_.templates()[record.pod_template];
  EXPECT_EQ(cluster_.text(record.uid), "uid-19b");
  EXPECT_EQ(cluster_.text(record.nominated_node), "nominated-19b");
  EXPECT_EQ(cluster_.text(t.scheduler_name), "scheduler-19b");
  EXPECT_EQ(cluster_.text(t.requests.at(0).first), "example.com/19b");
  EXPECT_EQ(cluster_.text(cluster_.templates().controller_names(record.controller).name),
            "set-19b");
  PodRecord guarded = record;
  guarded.namespace_name = cluster_.strings().find("guarded-19b");
  std::vector<uint32_t> budgets;
  cluster_.budgets().find(guarded, intern_labels(cluster_.strings(), {{"guard", "19b"}}), budgets);
  EXPECT_EQ(budgets.size(), 1u);
  const Row row = cluster_.nodes().row_of(record.slot);
  EXPECT_EQ(cluster_.node_name(row), "19b");
  const auto value = [&](const std::string& column) {
    const berth_column whole = cluster_.view(cluster_.find_column(column));
    return cluster_.text(static_cast<const uint32_t*>(whole.data)[row]);
  };
  EXPECT_EQ(value("node.label:disk"), "disk-19b");
  EXPECT_EQ(value("node.annotation:note-19b"), "text-19b");
  EXPECT_EQ(cluster_.taint_sets().taints(cluster_.nodes().node(record.slot).taint_set),
            (std::vector<Taint>{{"taint-19b", "value", "PreferNoSchedule"}}));
}

// A removed node keeps its row until rows are ordered, so its column must not show an id that means
// something else: a value that differs would look the same.
TEST_F(Retirement, TheRowOfARemovedNodeKeepsItsStrings) {
  cluster_.put_node(node("first"));
  const Column& labels = cluster_.column(cluster_.find_column("node.label:disk"));
  cluster_.order_rows();
  const uint64_t generation = labels.generation_of(0);
  cluster_.remove_node("first");
  cluster_.collect(Cluster::Retired::kNames);
  Node other = node("first");
  other.labels = {{kDisk, "other"}};
  cluster_.put_node(other);
  cluster_.order_rows();
  EXPECT_NE(labels.generation_of(0), generation);
}

TEST(ColumnsOnRequest, ThatArePinnedStay) {
  Cluster cluster;
  const ColumnId pinned = cluster.find_column("node.label:pinned");
  cluster.pin_columns();
  const ColumnId other = cluster.find_column("node.label:other");
  cluster.collect(Cluster::Retired::kAll);  // looked up since the last one
  EXPECT_EQ(cluster.catalog().size(), other + 1);
  cluster.collect(Cluster::Retired::kAll);
  EXPECT_EQ(cluster.strings().find("other"), 0u);
  EXPECT_EQ(cluster.find_column("node.label:third"), other) << "the id is used again";
  EXPECT_EQ(cluster.find_column("node.label:pinned"), pinned);
}

// An epoch stands for data that the model does not know, so nobody can say that it is unused.
TEST_F(Retirement, EpochsStay) {
  const auto value = [&](const char* id) {
    return static_cast<const int64_t*>(cluster_.view(cluster_.find_column(id)).data)[0];
  };
  constexpr char kLoad[] = "cluster.epoch:load";
  EXPECT_EQ(value(kLoad), 0);
  const ColumnId load = cluster_.find_column(kLoad);
  const uint64_t before = cluster_.column(load).generation(), logged = cluster_.log().end();
  cluster_.raise_epoch(load);
  EXPECT_EQ(value(kLoad), 1);
  EXPECT_GT(cluster_.column(load).generation(), before);
  ASSERT_EQ(cluster_.log().end(), logged + 1);
  EXPECT_EQ(cluster_.log().at(logged).table, Table::kCluster);
  EXPECT_EQ(cluster_.log().at(logged).domain, load);
  EXPECT_EQ(value("cluster.epoch:other"), 0);
  for (int i = 0; i < 3; ++i) cluster_.collect(Cluster::Retired::kAll);
  EXPECT_EQ(value(kLoad), 1);
}

}  // namespace
}  // namespace berth::model
