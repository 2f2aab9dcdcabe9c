// Tests which specs share a template, and the contents of templates.

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/cluster/testing.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::model {
namespace {

// One change per field of a spec.
std::vector<std::pair<std::string, std::function<void(PodSpec&)>>> changes() {
  PodAffinityTerm term;
  term.topology_key = "zone";
  auto in_term = [](auto change) {
    return [change](PodSpec& s) { change(s.affinity.pod_affinity->required[0]); };
  };
  auto in_constraint = [](auto change) {
    return [change](PodSpec& s) { change(s.topology_spread_constraints[0]); };
  };
  return {
      {"schedulerName", [](PodSpec& s) { s.scheduler_name = "other"; }},
      {"nodeName", [](PodSpec& s) { s.node_name = "n"; }},
      {"priority", [](PodSpec& s) { s.priority = 1; }},
      {"no priority", [](PodSpec& s) { s.priority.reset(); }},
      {"preemptionPolicy", [](PodSpec& s) { s.preemption_policy = "Never"; }},
      {"nodeSelector key",
       [](PodSpec& s) {
         s.node_selector = {{"l", "v"}};
       }},
      {"nodeSelector value",
       [](PodSpec& s) {
         s.node_selector = {{"k", "w"}};
       }},
      {"has nodeSelector", [](PodSpec& s) { s.has_node_selector = !s.has_node_selector; }},
      {"no required", [](PodSpec& s) { s.affinity.node_required.reset(); }},
      {"another term", [](PodSpec& s) { s.affinity.node_required->terms.emplace_back(); }},
      {"requirement key",
       [](PodSpec& s) { s.affinity.node_required->terms[0].match_expressions[0].key = "x"; }},
      {"requirement operator",
       [](PodSpec& s) { s.affinity.node_required->terms[0].match_expressions[0].op = "NotIn"; }},
      {"requirement value",
       [](PodSpec& s) {
         s.affinity.node_required->terms[0].match_expressions[0].values.emplace_back("x");
       }},
      {"match field",
       [](PodSpec& s) {
         auto& t = s.affinity.node_required->terms[0];
         std::swap(t.match_fields, t.match_expressions);
       }},
      {"preferred weight", [](PodSpec& s) { s.affinity.node_preferred[0].weight = 9; }},
      {"preferred term",
       [](PodSpec& s) {
         s.affinity.node_preferred[0].preference.match_fields.push_back({"a", "In", {"b"}});
       }},
      {"has preferred", [](PodSpec& s) { s.affinity.has_node_preferred = false; }},
      {"no podAffinity", [](PodSpec& s) { s.affinity.pod_affinity.reset(); }},
      {"podAntiAffinity", [](PodSpec& s) { s.affinity.pod_anti_affinity.emplace(); }},
      {"preferred pod term",
       [=](PodSpec& s) {
         s.affinity.pod_affinity->preferred.push_back({3, term});
       }},
      {"topologyKey", in_term([](auto& t) { t.topology_key = "host"; })},
      {"labelSelector", in_term([](auto& t) { t.label_selector.emplace(); })},
      {"namespaces", in_term([](auto& t) { t.namespaces = {"a"}; })},
      {"namespaceSelector", in_term([](auto& t) {
         t.namespace_selector = LabelSelector{{{"a", "b"}}, {}};
       })},
      {"matchLabelKeys", in_term([](auto& t) { t.match_label_keys = {"a"}; })},
      {"mismatchLabelKeys", in_term([](auto& t) { t.mismatch_label_keys = {"a"}; })},
      {"toleration key", [](PodSpec& s) { s.tolerations[0].key = "x"; }},
      {"toleration operator", [](PodSpec& s) { s.tolerations[0].op = "Exists"; }},
      {"toleration value", [](PodSpec& s) { s.tolerations[0].value = "x"; }},
      {"toleration effect", [](PodSpec& s) { s.tolerations[0].effect = ""; }},
      {"toleration seconds", [](PodSpec& s) { s.tolerations[0].seconds = 0; }},
      {"maxSkew", in_constraint([](auto& c) { c.max_skew = 2; })},
      {"spread topologyKey", in_constraint([](auto& c) { c.topology_key = "host"; })},
      {"whenUnsatisfiable", in_constraint([](auto& c) { c.when_unsatisfiable = "DoNotSchedule"; })},
      {"spread labelSelector", in_constraint([](auto& c) { c.label_selector.emplace(); })},
      {"minDomains", in_constraint([](auto& c) { c.min_domains = 1; })},
      {"nodeAffinityPolicy", in_constraint([](auto& c) { c.node_affinity_policy = "Ignore"; })},
      {"nodeTaintsPolicy", in_constraint([](auto& c) { c.node_taints_policy = "Honor"; })},
      {"spread matchLabelKeys", in_constraint([](auto& c) { c.match_label_keys = {"a"}; })},
      {"gates", [](PodSpec& s) { s.scheduling_gates = {"g"}; }},
      {"init container", [](PodSpec& s) { s.init_containers.emplace_back(); }},
      {"container", [](PodSpec& s) { s.containers.emplace_back(); }},
      {"container name", [](PodSpec& s) { s.containers[0].name = "x"; }},
      {"image", [](PodSpec& s) { s.containers[0].image = "x"; }},
      {"requests", [](PodSpec& s) { s.containers[0].requests[0].second = Quantity(); }},
      {"request name", [](PodSpec& s) { s.containers[0].requests[0].first = "memory"; }},
      {"restartPolicy", [](PodSpec& s) { s.containers[0].restart_always = true; }},
      {"limits", [](PodSpec& s) { s.containers[0].limits = list(1, -1); }},
      {"host IP", [](PodSpec& s) { s.containers[0].ports[0].host_ip = "x"; }},
      {"protocol", [](PodSpec& s) { s.containers[0].ports[0].protocol = "UDP"; }},
      {"host port", [](PodSpec& s) { s.containers[0].ports[0].host_port = 81; }},
      {"overhead", [](PodSpec& s) { s.overhead = list(1, -1); }},
      {"has pod resources", [](PodSpec& s) { s.has_pod_resources = true; }},
      {"pod requests", [](PodSpec& s) { s.pod_requests = list(1, -1); }},
      {"status", [](PodSpec& s) { s.container_statuses.emplace_back(); }},
      {"status name", [](PodSpec& s) { s.container_statuses[0].name = "x"; }},
      {"status has resources", [](PodSpec& s) { s.container_statuses[0].has_resources = true; }},
      {"status requests", [](PodSpec& s) { s.container_statuses[0].requests = list(1, 1); }},
      {"allocated", [](PodSpec& s) { s.container_statuses[0].allocated_resources = list(1, 1); }},
      {"resize infeasible", [](PodSpec& s) { s.resize_infeasible = true; }},
      {"volume", [](PodSpec& s) { s.volumes.emplace_back().is_claim = true; }},
      {"emptyDir", [](PodSpec& s) { s.empty_dir = true; }},
      {"mirror pod", [](PodSpec& s) { s.mirror = true; }},
      {"restart rule", [](PodSpec& s) { s.containers[0].restart_all = true; }},
      {"user namespace", [](PodSpec& s) { s.host_user_namespace = true; }},
      {"deletion cost", [](PodSpec& s) { s.deletion_cost = 1; }},
      {"qos class", [](PodSpec& s) { s.qos_class = QosClass::kGuaranteed; }},
      {"operating system", [](PodSpec& s) { s.os = "windows"; }},
      {"supplemental groups", [](PodSpec& s) { s.strict_supplemental_groups = true; }},
      {"own status", [](PodSpec& s) { s.own_status.allocated_resources = list(1, 1); }},
  };
}

PodSpec full_spec() {
  PodSpec spec;
  spec.scheduler_name = "default-scheduler";
  spec.priority = 0;
  spec.labels = {{"app", "web"}};
  spec.node_selector = {{"k", "v"}};
  spec.affinity.node_required = NodeSelector{{{{{"disk", "In", {"ssd"}}}, {}}}};
  spec.affinity.has_node_preferred = true;
  spec.affinity.node_preferred = {{1, {{{"disk", "Exists", {}}}, {}}}};
  spec.affinity.pod_affinity.emplace();
  spec.affinity.pod_affinity->required.emplace_back().topology_key = "zone";
  spec.tolerations = {{"k", "Equal", "v", "NoSchedule"}};
  spec.topology_spread_constraints.emplace_back().max_skew = 1;
  spec.containers = {container(100, -1)};
  spec.containers[0].ports = {{"", "TCP", 80}};
  spec.container_statuses.emplace_back();
  return spec;
}

TEST(TemplateIdentity, EveryFieldCounts) {
  std::set<std::string> identities{template_identity(full_spec())};
  for (const auto& [name, change] : changes()) {
    PodSpec changed = full_spec();
    change(changed);
    ASSERT_FALSE(changed == full_spec()) << name;
    EXPECT_TRUE(identities.insert(template_identity(changed)).second) << name;
  }
}

TEST(TemplateIdentity, LabelsDoNot) {
  PodSpec other = full_spec();
  other.labels = {{"pod-index", "7"}};
  EXPECT_EQ(template_identity(other), template_identity(full_spec()));
}

// Boundaries between texts are part of the identity.
TEST(TemplateIdentity, TextsDoNotRunIntoEachOther) {
  PodSpec a, b;
  a.scheduler_name = "ab";
  a.node_name = "c";
  b.scheduler_name = "a";
  b.node_name = "bc";
  EXPECT_NE(template_identity(a), template_identity(b));
  PodSpec c, d;
  c.scheduling_gates = {"x", "y"};
  d.scheduling_gates = {"xy"};
  EXPECT_NE(template_identity(c), template_identity(d));
}

class Templates : public testing::Test {
 protected:
  PodRecord record(const PodSpec& spec, const std::string& name = "p") {
    Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    pod.spec = spec;
    return cluster_.record_of(pod);
  }
  const PodTemplate& built(const PodSpec& spec) {
    return cluster_.templates()[record(spec).pod_template];
  }
  std::vector<std::string> texts(const std::vector<StringId>& ids) {
    std::vector<std::string> all;
    for (StringId id : ids) all.emplace_back(cluster_.text(id));
    return all;
  }

  Cluster cluster_;
};

TEST_F(Templates, AreSharedByEqualSpecs) {
  PodSpec labelled = full_spec();
  labelled.labels = {{"pod-index", "7"}};
  PodRecord a = record(full_spec(), "a"), b = record(labelled, "b");
  EXPECT_EQ(a.pod_template, b.pod_template);
  EXPECT_NE(a.labels, b.labels);
  EXPECT_NE(a.name, b.name);
  EXPECT_EQ(record({}).labels, 0u);
  EXPECT_NE(record({}).pod_template, a.pod_template);
}

TEST_F(Templates, PackPorts) {
  PodSpec spec;
  Container sidecar = container(-1, -1, true), init = container(-1, -1);
  sidecar.ports = {{"10.0.0.1", "UDP", 53}};
  init.ports = {{"", "TCP", 99}};
  spec.init_containers = {init, sidecar};
  spec.containers = {container(-1, -1)};
  spec.containers[0].ports = {{"", "", 80}, {"", "", 0}};
  auto packed = [&](const char* address, const char* protocol, uint64_t port) {
    return uint64_t{cluster_.strings().find(address)} << 32 |
           uint64_t{cluster_.strings().find(protocol)} << 16 | port;
  };
  const auto& ports = built(spec).ports;  // an init container that ends does not hold its ports
  EXPECT_EQ(ports,
            (std::vector<uint64_t>{packed("10.0.0.1", "UDP", 53), packed("0.0.0.0", "TCP", 80)}));
}

TEST_F(Templates, NameTheNodesOfTheirAffinity) {
  PodSpec spec;
  NodeSelectorTerm named, both, open;
  named.match_fields = {{"metadata.name", "In", {"b", "a"}}};
  both.match_fields = {{"metadata.name", "In", {"a", "c"}}, {"metadata.name", "In", {"c"}}};
  open.match_expressions = {{"disk", "Exists", {}}};
  spec.affinity.node_required = NodeSelector{{named, both}};
  EXPECT_TRUE(built(spec).affinity_names_nodes);
  EXPECT_EQ(texts(built(spec).affinity_node_names), (std::vector<std::string>{"a", "b", "c"}));
  spec.affinity.node_required->terms.push_back(open);
  EXPECT_FALSE(built(spec).affinity_names_nodes);
  EXPECT_TRUE(built(spec).affinity_node_names.empty());
  EXPECT_EQ(built(spec).affinity_terms(), 3u);
  spec.affinity.node_required = NodeSelector{};
  EXPECT_FALSE(built(spec).affinity_names_nodes);
}

TEST_F(Templates, CountWhatNodesAccountFor) {
  PodSpec spec;
  spec.containers = {container(100, 1)};
  spec.containers[0].requests.emplace_back("example.com/gpu", Quantity::from_units(2));
  spec.containers[0].requests.emplace_back("storage", Quantity::from_units(9));
  const PodTemplate& t = built(spec);
  EXPECT_EQ(t.requests.size(), 4u);
  EXPECT_EQ(t.accounted.size(), 3u);
  EXPECT_EQ(amount_of(t.accounted, cluster_.strings().find("example.com/gpu")), 2);
  EXPECT_EQ(amount_of(t.accounted, cluster_.strings().find("storage")), 0);
}

// The bytes of a pod's column values are equal if and only if the values are.
TEST_F(Templates, IdentityInAColumn) {
  auto identity = [&](const char* column, const PodRecord& pod) {
    std::string bytes;
    append_identity(cluster_.catalog().info(cluster_.find_column(column)), cluster_, pod, bytes);
    return bytes;
  };
  PodSpec web = full_spec(), db = full_spec(), heavy = full_spec();
  db.labels = {{"app", "db"}};
  heavy.containers[0].requests = list(200, -1);
  PodRecord a = record(web, "a"), b = record(db, "b"), c = record(heavy, "c");
  EXPECT_NE(identity("pod.label:app", a), identity("pod.label:app", b));
  EXPECT_EQ(identity("pod.label:none", a), identity("pod.label:none", b));
  EXPECT_EQ(identity("pod.requests", a), identity("pod.requests", b));
  EXPECT_NE(identity("pod.requests", a), identity("pod.requests", c));
  EXPECT_EQ(identity("pod.ports", a), identity("pod.ports", c));
  EXPECT_NE(identity("pod.name", a), identity("pod.name", c));
}

TEST_F(Templates, ColumnsThatAnyThreadMayRead) {
  const auto any_thread = [&](const char* column) {
    return cluster_.catalog().info(cluster_.find_column(column)).any_thread();
  };
  for (const char* id : {"pod.name", "pod.group", "pod.namespace", "pod.label:app", "pod.priority"})
    EXPECT_TRUE(any_thread(id)) << id;
  for (const char* id : {"pod.siblings", "pod.pod_affinity_terms", "pod.controller_uid",
                         "pod.volumes_version", "node.name"})
    EXPECT_FALSE(any_thread(id)) << id;
}

}  // namespace
}  // namespace berth::model
