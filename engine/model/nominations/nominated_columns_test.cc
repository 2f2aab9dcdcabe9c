#include "engine/model/nominations/nominated_columns.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <tuple>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

class NominatedTest : public ::testing::Test {
 protected:
  static Pod pod(const std::string& name, const std::string& node, int64_t milli_cpu,
                 int32_t priority = 0) {
    Pod made;
    made.name = name;
    made.namespace_name = "default";
    made.nominated_node_name = node;
    made.spec.priority = priority;
    made.spec.containers.resize(1);
    made.spec.containers[0].requests = {{"cpu", Quantity::from_milli(milli_cpu)}};
    return made;
  }
  PodId nominate(const Pod& pod) {
    const PodId id = cluster_.add_pod(pod);
    cluster_.nominate(id);
    return id;
  }
  template <typename T>
  const T* values(const std::string& column) {
    return cluster_.column(cluster_.find_column(column)).values<T>();
  }
  size_t count() { return cluster_.column(cluster_.find_column("nominated.pod")).count(); }

  // Node, priority and cpu by handle, as the columns have them.
  using Seen = std::map<uint64_t, std::tuple<std::string, int64_t, int64_t>>;
  Seen seen() {
    Seen all;
    for (size_t at = 0; at < count(); ++at) {
      EXPECT_EQ(cluster_.text(values<uint32_t>("nominated.namespace")[at]), "default");
      all[values<uint64_t>("nominated.pod")[at]] = {
          std::string(cluster_.text(values<uint32_t>("nominated.node")[at])),
          values<int64_t>("nominated.priority")[at], values<int64_t>("nominated.requests:cpu")[at]};
    }
    EXPECT_EQ(all.size(), count());
    EXPECT_EQ(cluster_.fault(), "");
    return all;
  }

  Cluster cluster_;
};

TEST_F(NominatedTest, HasThePodsFromBeforeItWasAskedFor) {
  const PodId a = nominate(pod("a", "n1", 100, 5));
  const PodId b = nominate(pod("b", "n2", 200));
  cluster_.add_pod(pod("waits", "", 300));
  EXPECT_EQ(seen(), (Seen{{a.handle(), {"n1", 5, 100}}, {b.handle(), {"n2", 0, 200}}}));
  cluster_.withdraw_nomination(a);
  EXPECT_EQ(seen(), (Seen{{b.handle(), {"n2", 0, 200}}}));
}

TEST_F(NominatedTest, APodThatLeftTheQueueCountsAsAnEmptyOne) {
  seen();
  const PodId a = nominate(pod("a", "n1", 100, 5));
  cluster_.empty_nomination(a);
  EXPECT_EQ(seen(), (Seen{{a.handle(), {"n1", 0, 0}}}));
  cluster_.nominate(a);
  EXPECT_EQ(seen(), (Seen{{a.handle(), {"n1", 5, 100}}}));
}

TEST_F(NominatedTest, FollowsUpdatesOfPods) {
  seen();
  const PodId a = nominate(pod("a", "n1", 100, 5));
  cluster_.update_pod(a, cluster_.record_of(pod("a", "n2", 700, 6)));
  EXPECT_EQ(seen(), (Seen{{a.handle(), {"n2", 6, 700}}}));
  cluster_.remove_pod(a);
  EXPECT_EQ(seen(), Seen());
}

// A value that was computed from a column is valid while its generation is the same.
TEST_F(NominatedTest, EachChangeIsToldByTheGeneration) {
  const Column& column = cluster_.column(cluster_.find_column("nominated.requests:cpu"));
  uint64_t before = column.generation();
  const auto changed = [&] { return std::exchange(before, column.generation()) != before; };
  const PodId a = nominate(pod("a", "n1", 100));
  EXPECT_TRUE(changed());
  cluster_.empty_nomination(a);
  EXPECT_TRUE(changed());
  cluster_.withdraw_nomination(a);
  EXPECT_TRUE(changed());
  cluster_.add_pod(pod("b", "", 1));
  EXPECT_FALSE(changed());
}

TEST_F(NominatedTest, EqualsARecountWhateverHappens) {
  seen();
  std::mt19937 draw(3);
  Seen expected;
  std::map<uint64_t, PodId> ids;
  for (int step = 0; step < 300; ++step) {
    if (draw() % 5 < 3 || ids.empty()) {
      const std::string node = "n" + std::to_string(draw() % 4);
      const int64_t cpu = draw() % 9;
      const PodId id = nominate(pod("p" + std::to_string(step), node, cpu, 1));
      ids[id.handle()] = id;
      expected[id.handle()] = {node, 1, cpu};
    } else {
      const auto gone = std::next(ids.begin(), static_cast<int64_t>(draw() % ids.size()));
      cluster_.withdraw_nomination(gone->second);
      expected.erase(gone->first);
      ids.erase(gone);
    }
    ASSERT_EQ(seen(), expected);
  }
}

}  // namespace
}  // namespace berth::model
