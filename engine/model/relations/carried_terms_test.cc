#include "engine/model/relations/carried_terms.h"

#include <gtest/gtest.h>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

class CarriedTermsTest : public ::testing::Test {
 protected:
  CarriedTermsTest() {
    for (const auto& [name, zone] :
         {std::pair("a1", "a"), std::pair("a2", "a"), std::pair("b1", "b"), std::pair("none", "")})
      put(name, zone);
    cluster_.order_rows();
    preferred_ = cluster_.carried().carry({TermGroup::kPreferredAffinity, 2, true});
  }

  void put(const std::string& name, const std::string& zone) {
    Node node;
    node.name = name;
    if (!zone.empty()) node.labels = {{"zone", zone}};
    cluster_.put_node(node);
    cluster_.verify_counts();
  }
  StringId id(std::string_view text) { return cluster_.strings().intern(text); }

  static Pod plain(const std::string& name, const std::string& app) {
    Pod made;
    made.name = name;
    made.namespace_name = "default";
    made.spec.labels = {{"app", app}};
    return made;
  }
  // A pod with preferred affinity to pods of `app`.
  static Pod preferring(const std::string& name, const std::string& app, int32_t weight,
                        const std::string& key = "zone") {
    Pod made = plain(name, "carrier");
    PodAffinityTerm term;
    term.label_selector = LabelSelector{{{"app", app}}, {}};
    term.topology_key = key;
    made.spec.affinity.pod_affinity = PodAffinity{{}, {{weight, term}}};
    return made;
  }
  void place(const Pod& pod, const std::string& node) {
    cluster_.place(cluster_.add_pod(pod), node);
    cluster_.verify_counts();
  }
  MatchSetId match_set(const std::string& app) {
    return cluster_.carried().match_set(preferred_, cluster_.record_of(plain("new", app)).shape);
  }
  // The sum over all keys at a node.
  int64_t sum(MatchSetId set, const std::string& node) {
    const CarriedTerms& carried = cluster_.carried();
    const Row row = cluster_.nodes().row_of(cluster_.nodes().find(id(node)));
    int64_t total = 0;
    for (size_t i = 0; i < carried.sums(set); ++i) {
      const DomainCode code = carried.domain_column(set, i)->values<uint32_t>()[row];
      total += carried.sum(set, i).values<int64_t>()[code];
    }
    return total;
  }
  int64_t carriers(MatchSetId set) { return cluster_.carried().carriers(set).values<int64_t>()[0]; }

  Cluster cluster_;
  ClassId preferred_ = 0;
};

TEST_F(CarriedTermsTest, SumsTermsThatMatch) {
  EXPECT_EQ(match_set("web"), 0u);
  place(preferring("p1", "web", 5), "a1");
  const MatchSetId web = match_set("web");
  ASSERT_NE(web, 0u);
  EXPECT_EQ(match_set("db"), 0u);
  EXPECT_EQ(sum(web, "a1"), 10);
  EXPECT_EQ(sum(web, "a2"), 10);
  EXPECT_EQ(sum(web, "b1"), 0);
  EXPECT_EQ(sum(web, "none"), 0);
  EXPECT_EQ(carriers(web), 1);
  // The same term with another weight belongs to the same match set.
  place(preferring("p2", "web", 1), "b1");
  EXPECT_EQ(match_set("web"), web);
  EXPECT_EQ(sum(web, "b1"), 2);
  cluster_.remove_pod(cluster_.find_pod("default", "p1"));
  cluster_.verify_counts();
  EXPECT_EQ(sum(web, "a2"), 0);
  EXPECT_EQ(carriers(web), 1);
  place(preferring("p3", "web", 1), "none");
  EXPECT_EQ(carriers(web), 1);
}

// The pod is of another shape from then on, whose terms are the same.
TEST_F(CarriedTermsTest, OtherLabelsOfAPlacedPodLeaveItsTerms) {
  place(preferring("p", "web", 5), "a1");
  const MatchSetId web = match_set("web");
  const PodId p = cluster_.find_pod("default", "p");
  PodRecord after = cluster_.pod(p);
  after.labels = cluster_.record_of(plain("p", "other")).labels;
  cluster_.update_pod(p, after);
  cluster_.verify_counts();
  EXPECT_EQ(sum(web, "a1"), 10);
  EXPECT_EQ(carriers(web), 1);
  cluster_.remove_pod(p);
  cluster_.verify_counts();
  EXPECT_EQ(carriers(web), 0);
}

TEST_F(CarriedTermsTest, NewTermsMakeNewMatchSets) {
  place(preferring("p1", "web", 5), "a1");
  const MatchSetId before = match_set("web");
  const uint64_t version = cluster_.carried().version();
  put("a1", "a");
  EXPECT_EQ(cluster_.carried().version(), version);
  place(preferring("p2", "web", 7, "host"), "a1");
  EXPECT_NE(cluster_.carried().version(), version);
  const MatchSetId after = match_set("web");
  EXPECT_NE(after, before);
  EXPECT_EQ(cluster_.carried().sums(after), 2u);
  EXPECT_EQ(sum(after, "a1"), 10);
  EXPECT_EQ(sum(before, "a1"), 10);
}

TEST_F(CarriedTermsTest, FollowsNodes) {
  place(preferring("p1", "web", 5), "a1");
  const MatchSetId web = match_set("web");
  put("a1", "c");
  EXPECT_EQ(sum(web, "a1"), 10);
  EXPECT_EQ(sum(web, "a2"), 0);
  put("a1", "");
  EXPECT_EQ(carriers(web), 0);
  put("a1", "b");
  EXPECT_EQ(sum(web, "b1"), 10);
  ASSERT_TRUE(cluster_.remove_node("a1"));
  cluster_.verify_counts();
  EXPECT_EQ(sum(web, "b1"), 0);
}

TEST_F(CarriedTermsTest, ClassesLearnWhatIsPlaced) {
  place(preferring("p1", "web", 5), "a1");
  const ClassId negative = cluster_.carried().carry({TermGroup::kPreferredAffinity, -1, true});
  EXPECT_NE(negative, preferred_);
  EXPECT_EQ(cluster_.carried().carry({TermGroup::kPreferredAffinity, -1, true}), negative);
  const ShapeId shape = cluster_.record_of(plain("new", "web")).shape;
  const MatchSetId set = cluster_.carried().match_set(negative, shape);
  ASSERT_NE(set, 0u);
  EXPECT_EQ(sum(set, "a2"), -5);
  EXPECT_EQ(cluster_.carried().carry({TermGroup::kAntiAffinity, 1, true}), 3u);
  EXPECT_EQ(cluster_.carried().match_set(3, shape), 0u);
}

TEST_F(CarriedTermsTest, SaysWhatAPodWouldAdd) {
  place(preferring("p1", "web", 5), "a1");
  const MatchSetId web = match_set("web");
  Pod other = preferring("p2", "web", 3);
  other.nominated_node_name = "b1";
  cluster_.nominate(cluster_.add_pod(other));
  const ShapeId shape = cluster_.record_of(other).shape;
  EXPECT_EQ(cluster_.carried().weight_in(web, 0, shape), 6);
  EXPECT_EQ(cluster_.carried().terms_in(web, 0, shape), 1);
  EXPECT_EQ(sum(web, "b1"), 0);
}

}  // namespace
}  // namespace berth::model
