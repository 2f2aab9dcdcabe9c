#include "engine/model/relations/pod_counts.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

constexpr char kZoneKey[] = "zone";

class PodCountsTest : public ::testing::Test {
 protected:
  PodCountsTest() {
    for (const auto& [name, zone] :
         {std::pair("a1", "a"), std::pair("a2", "a"), std::pair("b1", "b"), std::pair("none", "")})
      put(name, zone);
    cluster_.order_rows();
  }

  void put(const std::string& name, const std::string& zone, bool fast = true) {
    Node node;
    node.name = name;
    if (!zone.empty()) node.labels.emplace_back(kZoneKey, zone);
    if (fast) node.labels.insert(node.labels.begin(), {"fast", "yes"});
    cluster_.put_node(node);
    cluster_.verify_counts();
  }
  StringId id(std::string_view text) { return cluster_.strings().intern(text); }

  Pod pod(const std::string& name, const std::string& app, const std::string& in = "default") {
    Pod made;
    made.name = name;
    made.namespace_name = in;
    made.spec.labels = {{"app", app}};
    return made;
  }
  void place(const Pod& pod, const std::string& node) {
    cluster_.place(cluster_.add_pod(pod), node);
    cluster_.verify_counts();
  }
  void place(const std::string& name, const std::string& app, const std::string& node) {
    place(pod(name, app), node);
  }
  void remove(const std::string& name) {
    cluster_.remove_pod(cluster_.find_pod("default", name));
    cluster_.verify_counts();
  }

  TermId term(const std::string& app) {
    const auto selector = cluster_.label_selectors().of(LabelSelector{{{"app", app}}, {}});
    return cluster_.terms().of({{id("default")}, LabelSelectors::kNothing, selector});
  }
  CountQuery of(const std::string& app) { return {.terms = {term(app)}, .key = id(kZoneKey)}; }

  // The count in a zone.
  int64_t count(QueryId query, const std::string& zone) {
    const Slot slot = cluster_.nodes().find(id(zone + "1"));
    return cluster_.counts().tally(query).count(cluster_.counts().domain(query, slot));
  }
  TallySummary summary(QueryId query) { return cluster_.counts().tally(query).totals(); }
  void expect(QueryId query, int64_t a, int64_t b, int64_t minimum, int64_t domains) {
    EXPECT_EQ(count(query, "a"), a);
    EXPECT_EQ(count(query, "b"), b);
    EXPECT_EQ(summary(query).total, a + b);
    EXPECT_EQ(summary(query).minimum, minimum);
    EXPECT_EQ(summary(query).domains, domains);
  }

  Cluster cluster_;
};

TEST_F(PodCountsTest, FollowsPodsThatComeAndGo) {
  place("old", "web", "a1");
  const QueryId query = cluster_.counts().query(of("web"));
  expect(query, 1, 0, 0, 2);
  place("p1", "web", "b1");
  place("p2", "db", "b1");
  place("p3", "web", "none");
  expect(query, 1, 1, 1, 2);
  place("p4", "web", "a2");
  expect(query, 2, 1, 1, 2);
  remove("p1");
  expect(query, 2, 0, 0, 2);
  remove("old");
  remove("p4");
  expect(query, 0, 0, 0, 2);
}

TEST_F(PodCountsTest, FollowsLabelsOfPlacedPods) {
  const QueryId query = cluster_.counts().query(of("web"));
  place("p", "db", "a1");
  expect(query, 0, 0, 0, 2);
  const auto label = [&](const std::string& app) {
    const PodId p = cluster_.find_pod("default", "p");
    PodRecord after = cluster_.pod(p);
    after.labels = cluster_.record_of(pod("p", app)).labels;
    cluster_.update_pod(p, after);
    cluster_.verify_counts();
  };
  label("web");
  expect(query, 1, 0, 0, 2);
  label("db");
  expect(query, 0, 0, 0, 2);
}

// Sums over the pods of the node stay, so those who follow its columns have nothing to ask again.
TEST_F(PodCountsTest, LabelsOfPlacedPodsChangeNoColumn) {
  place("p", "db", "a1");
  place("q", "db", "a1");
  const PodId p = cluster_.find_pod("default", "p"), q = cluster_.find_pod("default", "q");
  PodRecord after = cluster_.pod(p);
  after.labels = cluster_.record_of(pod("p", "web")).labels;
  const uint64_t before = cluster_.log().end();
  cluster_.update_pod(p, after);
  ASSERT_EQ(cluster_.log().end(), before + 1);
  EXPECT_EQ(cluster_.log().at(before).changes, change::kPodFacts);
  EXPECT_EQ(cluster_.pods_on("a1"), (std::vector<PodId>{q, p}));  // as if it left and came back
  EXPECT_EQ(cluster_.pod(q).position, 0u);
}

TEST_F(PodCountsTest, EqualQueriesAreOne) {
  const QueryId query = cluster_.counts().query(of("web"));
  EXPECT_EQ(cluster_.counts().query(of("web")), query);
  CountQuery twice = of("web");
  twice.terms.push_back(twice.terms[0]);
  EXPECT_EQ(cluster_.counts().query(twice), query);
  EXPECT_NE(cluster_.counts().query(of("db")), query);
}

TEST_F(PodCountsTest, FollowsNodes) {
  const QueryId query = cluster_.counts().query(of("web"));
  place("p1", "web", "a1");
  place("p2", "web", "b1");
  place("early", "web", "b2");  // the node does not exist yet
  put("b1", "a");               // the node moves to another zone, together with its pod
  EXPECT_EQ(count(query, "a"), 2);
  EXPECT_EQ(summary(query).domains, 1);
  put("b2", "b");
  EXPECT_EQ(summary(query).total, 3);
  EXPECT_EQ(summary(query).minimum, 1);
  EXPECT_EQ(summary(query).domains, 2);
  ASSERT_TRUE(cluster_.remove_node("b2"));
  cluster_.verify_counts();
  EXPECT_EQ(summary(query).total, 2);
  EXPECT_EQ(summary(query).domains, 1);
  remove("early");
  put("b2", "b");
  EXPECT_EQ(summary(query).minimum, 0);
  put("b1", "");
  EXPECT_EQ(summary(query).total, 1);
}

TEST_F(PodCountsTest, AsksForAllTermsOfAQuery) {
  const auto tier = cluster_.label_selectors().of(LabelSelector{{{"tier", "x"}}, {}});
  CountQuery both = of("web");
  both.terms.push_back(cluster_.terms().of({{id("default")}, LabelSelectors::kNothing, tier}));
  const QueryId query = cluster_.counts().query(both);
  place("p1", "web", "a1");
  EXPECT_EQ(summary(query).total, 0);
  Pod matching = pod("p2", "web");
  matching.spec.labels.emplace_back("tier", "x");
  place(matching, "a1");
  EXPECT_EQ(summary(query).total, 1);
}

TEST_F(PodCountsTest, QueriesWithTheSameParticipantsShareThem) {
  const ColumnId fast = cluster_.find_column("node.has_label:fast");
  const ColumnId zone = cluster_.find_column("node.has_label:zone");
  CountQuery what = of("web");
  what.participants = {std::max(fast, zone), std::min(fast, zone), fast};
  const std::vector<ColumnId> once = {std::min(fast, zone), std::max(fast, zone)};
  EXPECT_FALSE(cluster_.counts().knows_participants(once));
  const QueryId query = cluster_.counts().query(what);
  EXPECT_TRUE(cluster_.counts().knows_participants(once));
  EXPECT_FALSE(cluster_.counts().knows_participants({&fast, 1}));
  what.participants = once;
  EXPECT_EQ(cluster_.counts().query(what), query);
  what.participants = {fast};
  EXPECT_NE(cluster_.counts().query(what), query);
  EXPECT_TRUE(cluster_.counts().knows_participants(once));
  place("p1", "web", "a1");
  put("a1", "a", false);
  put("b3", "b");
  cluster_.verify_counts();
}

TEST_F(PodCountsTest, CountsNodesThatTakePart) {
  CountQuery fast = of("web");
  fast.participants = {cluster_.find_column("node.has_label:fast")};
  const QueryId query = cluster_.counts().query(fast);
  place("p1", "web", "a1");
  place("p2", "web", "b1");
  expect(query, 1, 1, 1, 2);
  put("b1", "b", false);
  EXPECT_EQ(summary(query).total, 1);
  EXPECT_EQ(summary(query).domains, 1);
  put("a1", "a", false);  // a2 still participates
  EXPECT_EQ(summary(query).total, 0);
  EXPECT_EQ(summary(query).domains, 1);
  put("b1", "b", true);
  EXPECT_EQ(summary(query).total, 1);
  EXPECT_EQ(summary(query).minimum, 0);
}

TEST_F(PodCountsTest, LeavesOutTerminatingPodsWhereAsked) {
  CountQuery living = of("web");
  living.pods = counted::kPlaced | counted::kOverlaid;
  const QueryId query = cluster_.counts().query(living);
  const QueryId all = cluster_.counts().query(of("web"));
  Pod dying = pod("p1", "web");
  dying.terminating = true;
  place(dying, "a1");
  EXPECT_EQ(summary(query).total, 0);
  EXPECT_EQ(summary(all).total, 1);
  const ShapeId shape = cluster_.shape(cluster_.record_of(dying));
  const PodOnNode overlaid{{}, cluster_.record_of(dying).pod_template, shape, false};
  const PodOnNode overlaid_dying{{}, overlaid.pod_template, shape, true};
  EXPECT_EQ(cluster_.counts().worth_overlaid(query, overlaid), 1);
  EXPECT_EQ(cluster_.counts().worth_overlaid(query, overlaid_dying), 0);
  remove("p1");
  EXPECT_EQ(summary(all).total, 0);
}

TEST_F(PodCountsTest, WithoutAKeyEachNodeIsADomain) {
  place("p1", "web", "none");
  CountQuery per_node = of("web");
  per_node.key = 0;
  const QueryId query = cluster_.counts().query(per_node);
  const berth_column column =
      cluster_.view(cluster_.find_column("node.count:" + std::to_string(query)));
  ASSERT_EQ(column.count, 4u);
  place("p2", "web", "a1");
  place("p3", "web", "a1");
  put("fresh", "a");
  cluster_.order_rows();
  place("p4", "web", "fresh");
  const Column& now = cluster_.column(cluster_.find_column("node.count:" + std::to_string(query)));
  for (const auto& [name, expected] :
       {std::pair("none", 1), std::pair("a1", 2), std::pair("a2", 0), std::pair("fresh", 1)}) {
    const Row row = cluster_.nodes().row_of(cluster_.nodes().find(id(name)));
    EXPECT_EQ(now.values<int64_t>()[row], expected) << name;
  }
  EXPECT_EQ(summary(query).total, 4);
  EXPECT_EQ(summary(query).domains, 5);
}

TEST_F(PodCountsTest, NodesWithoutTheKeyCanCountAsTheEmptyValue) {
  CountQuery unlabelled = of("web");
  unlabelled.unlabelled = true;
  const QueryId query = cluster_.counts().query(unlabelled);
  place("p1", "web", "none");
  EXPECT_EQ(summary(query).total, 1);
  EXPECT_EQ(summary(query).domains, 3);
}

TEST_F(PodCountsTest, NamespacesMovePodsInAndOut) {
  const auto app = cluster_.label_selectors().of(LabelSelector{{{"app", "web"}}, {}});
  const auto team = cluster_.label_selectors().of(LabelSelector{{{"team", "x"}}, {}});
  const QueryId query = cluster_.counts().query(
      {.terms = {cluster_.terms().of({{}, team, app})}, .key = id(kZoneKey)});
  place(pod("p1", "web", "blue"), "a1");
  place(pod("p2", "web", "red"), "b1");
  EXPECT_EQ(summary(query).total, 0);
  const auto label = [&](const char* name, const char* value) {
    cluster_.put_namespace({name, {{"team", value}}});
    cluster_.verify_counts();
  };
  label("blue", "x");
  expect(query, 1, 0, 0, 2);
  label("red", "x");
  expect(query, 1, 1, 1, 2);
  label("blue", "y");
  expect(query, 0, 1, 0, 2);
  ASSERT_TRUE(cluster_.remove_namespace("red"));
  cluster_.verify_counts();
  EXPECT_EQ(summary(query).total, 0);
}

class SumsTest : public PodCountsTest {
 protected:
  CountQuery sum_of(const std::string& app, const std::string& resource) {
    CountQuery made = of(app);
    made.resource = id(resource);
    return made;
  }
  Pod requesting(const std::string& name, const std::string& app, int64_t milli) {
    Pod made = pod(name, app);
    made.spec.containers.resize(1);
    made.spec.containers[0].name = "main";
    made.spec.containers[0].requests = {{"cpu", Quantity::from_milli(milli)}};
    return made;
  }
  // What all placed pods of an app request on the nodes of a zone.
  int64_t recount(const std::string& app, const std::string& zone) {
    const auto label = std::pair(id("app"), id(app));
    int64_t sum = 0;
    for (Slot slot = 0; slot < cluster_.nodes().slots(); ++slot) {
      const auto& node = cluster_.nodes().node(slot);
      if (!node.present || label_value(node.labels, id(kZoneKey)) != id(zone)) continue;
      for (const PodOnNode& on_node : cluster_.nodes().pods(slot)) {
        const PodRecord& record = cluster_.pod(on_node.pod);
        if (label_value(cluster_.templates().labels(record.labels), label.first) == label.second)
          sum += amount_of(cluster_.templates()[record.pod_template].accounted, id("cpu"));
      }
    }
    return sum;
  }
};

TEST_F(SumsTest, AddUpWhatPodsRequest) {
  place(requesting("old", "web", 250), "a1");
  const QueryId query = cluster_.counts().query(sum_of("web", "cpu"));
  expect(query, 250, 0, 0, 2);
  place(requesting("p1", "web", 1000), "b1");
  place(requesting("p2", "db", 1000), "b1");
  place("p3", "web", "b1");  // requests nothing
  expect(query, 250, 1000, 250, 2);
  place(requesting("p4", "web", 2000), "a2");
  expect(query, 2250, 1000, 1000, 2);
  EXPECT_EQ(cluster_.counts().tally(query).with(cluster_.counts().domain(query, 0), -2000).minimum,
            250);
  put("b1", "a");
  EXPECT_EQ(count(query, "a"), 3250);
  EXPECT_EQ(summary(query).minimum, 3250);
  put("b1", "b");
  remove("p1");
  expect(query, 2250, 0, 0, 2);
}

TEST_F(SumsTest, AreQueriesOfTheirOwn) {
  const QueryId pods = cluster_.counts().query(of("web"));
  const QueryId cpu = cluster_.counts().query(sum_of("web", "cpu"));
  EXPECT_NE(cpu, pods);
  EXPECT_NE(cluster_.counts().query(sum_of("web", "memory")), cpu);
  EXPECT_EQ(cluster_.counts().query(sum_of("web", "cpu")), cpu);
  place(requesting("p1", "web", 1000), "b1");
  expect(pods, 0, 1, 0, 2);
  expect(cpu, 0, 1000, 0, 2);
}

TEST_F(SumsTest, CountWhatAResizedPodHolds) {
  const QueryId query = cluster_.counts().query(sum_of("web", "cpu"));
  Pod resized = requesting("p1", "web", 1000);
  resized.spec.container_statuses = {
      {"main", true, {{"cpu", Quantity::from_milli(3000)}}, {{"cpu", Quantity::from_milli(1500)}}}};
  place(resized, "a1");
  expect(query, 3000, 0, 0, 2);
  remove("p1");
  resized.spec.resize_infeasible = true;
  resized.spec.container_statuses[0].requests = {{"cpu", Quantity::from_milli(400)}};
  resized.spec.container_statuses[0].allocated_resources.clear();
  place(resized, "a1");
  expect(query, 400, 0, 0, 2);
}

TEST_F(SumsTest, HaveTheSamePodsAsCounts) {
  CountQuery living = sum_of("web", "cpu");
  living.pods = counted::kPlaced | counted::kOverlaid;
  const QueryId query = cluster_.counts().query(living);
  Pod dying = requesting("p1", "web", 700);
  dying.terminating = true;
  place(dying, "a1");
  EXPECT_EQ(summary(query).total, 0);
  EXPECT_EQ(summary(cluster_.counts().query(sum_of("web", "cpu"))).total, 700);
  PodOnNode on_node = cluster_.nodes().pods(cluster_.nodes().find(id("a1")))[0];
  EXPECT_FALSE(cluster_.counts().counts_placed(query, on_node));
  EXPECT_EQ(cluster_.counts().worth_overlaid(query, on_node), 0);
  on_node.terminating = false;
  EXPECT_EQ(cluster_.counts().worth_overlaid(query, on_node), 700);
}

TEST_F(SumsTest, AreShownByNode) {
  CountQuery per_node = sum_of("web", "cpu");
  per_node.key = 0;
  const QueryId query = cluster_.counts().query(per_node);
  const ColumnId column = cluster_.find_column("node.count:" + std::to_string(query));
  cluster_.view(column);
  place(requesting("p1", "web", 300), "a1");
  place(requesting("p2", "web", 400), "a1");
  const Row row = cluster_.nodes().row_of(cluster_.nodes().find(id("a1")));
  EXPECT_EQ(cluster_.column(column).values<int64_t>()[row], 700);
  cluster_.verify_counts();
}

TEST_F(SumsTest, EqualARecountWhateverHappens) {
  const std::array<std::string, 2> apps{"web", "db"};
  const std::array<std::string, 4> nodes{"a1", "a2", "b1", "none"};
  const std::array<std::string, 3> zones{"a", "b", ""};
  std::vector<QueryId> queries;
  for (const std::string& app : apps)
    queries.push_back(cluster_.counts().query(sum_of(app, "cpu")));
  std::mt19937 draw(7);
  std::vector<std::string> placed;
  for (int step = 0; step < 400; ++step) {
    const uint32_t what = draw() % 8;
    if (what < 4) {
      placed.push_back("p" + std::to_string(step));
      place(requesting(placed.back(), apps[draw() % 2], draw() % 5 * 100), nodes[draw() % 4]);
    } else if (what < 7 && !placed.empty()) {
      std::swap(placed[draw() % placed.size()], placed.back());
      remove(placed.back());
      placed.pop_back();
    } else {
      put(nodes[draw() % 4], zones[draw() % 3]);
    }
    for (size_t app = 0; app < apps.size(); ++app) {
      const int64_t a = recount(apps[app], "a"), b = recount(apps[app], "b");
      const DomainTally& tally = cluster_.counts().tally(queries[app]);
      EXPECT_EQ(tally.totals().total, a + b);
      for (const std::string& node : nodes) {
        const Slot slot = cluster_.nodes().find(id(node));
        const StringId zone = label_value(cluster_.nodes().node(slot).labels, id(kZoneKey));
        if (zone == 0) continue;
        EXPECT_EQ(tally.count(cluster_.counts().domain(queries[app], slot)),
                  zone == id("a") ? a : b);
        EXPECT_LE(tally.totals().minimum, zone == id("a") ? a : b);
      }
    }
  }
}

TEST(DomainTallyTest, AmountsWrapAround) {
  Arena arena(Arena::Backing::kAnonymous);
  DomainTally tally(arena, Tallied::kAmounts);
  for (DomainCode code : {1u, 2u}) tally.join(code);
  tally.add(1, INT64_MAX);
  tally.add(2, 5);
  EXPECT_EQ(tally.totals().minimum, 5);
  EXPECT_EQ(tally.with(2, INT64_MAX).minimum, INT64_MIN + 4);
  EXPECT_EQ(tally.with(2, 9).minimum, 14);
  tally.add(1, 1);
  EXPECT_EQ(tally.count(1), INT64_MIN);
  EXPECT_EQ(tally.totals().minimum, INT64_MIN);
  EXPECT_EQ(tally.with(1, INT64_MAX).minimum, -1);
  EXPECT_EQ(tally.with(1, INT64_MIN).minimum, 0);
  tally.add(1, -1);
  tally.add(1, -INT64_MAX);
  EXPECT_EQ(tally.totals().minimum, 0);
  EXPECT_EQ(tally.totals().total, 5);
}

TEST(DomainTallyTest, WithSaysHowItWouldBe) {
  Arena arena(Arena::Backing::kAnonymous);
  DomainTally tally(arena);
  for (DomainCode code : {1u, 2u, 3u}) tally.join(code);
  tally.add(1, 2);
  tally.add(2, 3);
  tally.add(3, 5);
  const auto minimum = [&](DomainCode code, int64_t more) {
    return tally.with(code, more).minimum;
  };
  EXPECT_EQ(minimum(1, 0), 2);
  EXPECT_EQ(minimum(1, 1), 3);
  EXPECT_EQ(minimum(1, 9), 3);
  EXPECT_EQ(minimum(3, -4), 1);
  EXPECT_EQ(minimum(3, -3), 2);
  EXPECT_EQ(minimum(2, 4), 2);
  EXPECT_EQ(tally.with(1, 9).total, 19);
  EXPECT_EQ(tally.with(1, 9).domains, 3);
  tally.add(1, -2);
  tally.leave(1);
  EXPECT_EQ(tally.totals().minimum, 3);
  EXPECT_EQ(minimum(2, 10), 5);
}

}  // namespace
}  // namespace berth::model
