#pragma once

// Shared by the tests of this folder: a pod with constraints, as columns.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plugins/testing/failure.h"
#include "plugins/testing/harness.h"

namespace berth::plugins::testing {

using Bytes = std::vector<uint8_t>;
using Ids = std::vector<uint32_t>;
using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;

// The participants of a pod with these two topology keys.
inline Texts both_keys() { return {"node.has_label:zone", "node.has_label:rack"}; }

struct TestConstraint {
  std::string key;
  std::string when = "DoNotSchedule";
  int64_t max_skew = 1;
  int64_t min_domains = 1;
  uint32_t term = 5;
  uint8_t self = 1;
  uint8_t selects_all = 0;
  std::string affinity_policy = "";
  std::string taints_policy = "";
  std::string problem = "";
};

class SpreadTest : public ::testing::Test {
 protected:
  SpreadTest() { pod({}); }

  Harness& plugin(std::string_view arguments = "{}") {
    plugin_.emplace(host_, arguments);
    return *plugin_;
  }
  void set(std::string_view id, Values values) {
    columns_.insert_or_assign(std::string(id), std::move(values));
  }

  // Gives the pod these constraints. `siblings`: the term of the pods that belong with it.
  void pod(const std::vector<TestConstraint>& all, uint32_t siblings = 0,
           uint8_t siblings_self = 1) {
    Ids keys, when, terms, problems, affinity, taints;
    Ints skews, min_domains;
    Bytes self, selects_all;
    for (const TestConstraint& one : all) {
      keys.push_back(host_.id(one.key));
      when.push_back(host_.id(one.when));
      terms.push_back(one.term);
      problems.push_back(id(one.problem));
      affinity.push_back(id(one.affinity_policy));
      taints.push_back(id(one.taints_policy));
      skews.push_back(one.max_skew);
      min_domains.push_back(one.min_domains);
      self.push_back(one.self);
      selects_all.push_back(one.selects_all);
    }
    set("pod.spread_keys", std::vector<Ids>{keys});
    set("pod.spread_when", std::vector<Ids>{when});
    set("pod.spread_terms", std::vector<Ids>{terms});
    set("pod.spread_problems", std::vector<Ids>{problems});
    set("pod.spread_node_affinity_policies", std::vector<Ids>{affinity});
    set("pod.spread_node_taints_policies", std::vector<Ids>{taints});
    set("pod.spread_max_skew", std::vector<Ints>{skews});
    set("pod.spread_min_domains", std::vector<Ints>{min_domains});
    set("pod.spread_self", std::vector<Bytes>{self});
    set("pod.spread_selects_all", std::vector<Bytes>{selects_all});
    set("pod.siblings", Ids{siblings});
    set("pod.siblings_self", Bytes{siblings_self});
    set("pod.node_selector", Ids{0});
    set("pod.affinity", Ids{0});
    set("pod.tolerations", Ids{9});
  }

  // Sets the domain of each node; 0: the node lacks the label. Domain n has the value "v<n>".
  void domains(std::string_view key, const Ids& codes) {
    codes_[std::string(key)] = codes;
    Ids labels;
    Bytes has;
    for (const uint32_t code : codes) {
      labels.push_back(code == 0 ? 0 : host_.id("v" + std::to_string(code)));
      has.push_back(code != 0);
    }
    set("node.domain:" + std::string(key), Values::codes(codes));
    set("node.label:" + std::string(key), labels);
    set("node.has_label:" + std::string(key), has);
  }
  // Sets the counts of query `query` by domain, and total, minimum and number. Query 2 is by rack,
  // all others are by zone.
  void counts(uint32_t query, const Ints& by_domain, const Ints& summary) {
    node_counts(query, query == 2 ? "rack" : "zone", by_domain);
    set(FakeCounts::minimum(query), Ints{summary.at(1)});
    set(FakeCounts::domains(query), Ints{summary.at(2)});
  }
  // Sets the count at each node from the counts by domain. Requires domains(key, ...).
  void node_counts(uint32_t query, const std::string& key, const Ints& by_domain) {
    Ints all;
    for (const uint32_t code : codes_.at(key)) all.push_back(by_domain.at(code));
    set(FakeCounts::node_counts(query), all);
  }

  FakeHost host_;
  Columns columns_;
  std::optional<Harness> plugin_;
  std::map<std::string, Ids> codes_;  // of nodes, by key

 private:
  uint32_t id(const std::string& text) { return text.empty() ? 0 : host_.id(text); }
};

}  // namespace berth::plugins::testing
