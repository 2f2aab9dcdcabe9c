// Hooks that count by domain are asked once for each class of rows, and decisions are those of the
// reference evaluation.

#include "engine/framework/ranking/rows/row_classes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakePlugin;
using testing::FakeWorld;

// Nodes in three zones, twelve racks and a hundred rooms, and a plugin that spreads pods: its
// filter counts pods by zone, its score by the first of `keys` and, if there are two, the second.
class SpreadWorld {
 public:
  // When the filter refuses a zone.
  enum class Refuses { kSkewed, kOdd, kFull };

  // The search takes the nodes of `turns` zones of its own in turns.
  SpreadWorld(uint32_t nodes, const std::vector<std::string>& keys, uint32_t normalise,
              Refuses refuses = Refuses::kSkewed, uint32_t turns = 1)
      : world_(nodes), turns_(turns) {
    for (uint32_t i = 0; i < nodes; ++i) put(i, i % 3);
    cluster().order_rows();
    plugin_.filter_hook = {.inputs = {column("zone"), "count_minimum:1"}};
    plugin_.filter = [this, refuses](const FakeCall& call, size_t i) {
      filtered_ += i == 0 ? call.raw().count : 0;
      const int64_t pods = call.at<int64_t>(0, i), least = call.at<int64_t>(1, 0);
      const bool refused = refuses == Refuses::kSkewed ? pods > least + 2
                           : refuses == Refuses::kOdd  ? pods % 2 != 0
                                                       : pods >= 4;
      return refused ? uint8_t{BERTH_UNSCHEDULABLE} : uint8_t{BERTH_SUCCESS};
    };
    plugin_.score_hook.inputs.clear();
    for (const std::string& key : keys) plugin_.score_hook.inputs.push_back(column(key));
    plugin_.score = [this, columns = keys.size()](const FakeCall& call, size_t i) {
      scored_ += i == 0 ? call.raw().count : 0;
      if (i == 0 && call.raw().count > 1 && call.raw().count <= kZones)
        generation_ = std::max(generation_, call.raw().columns[0].generation);
      int64_t sum = 0;
      for (size_t column = 0; column < columns; ++column) sum += call.at<int64_t>(column, i);
      return plugin_.normalise == BERTH_NORMALISE_NONE ? std::max<int64_t>(0, 100 - sum) : sum;
    };
    plugin_.normalise = normalise;
    room_.filter_hook = {.inputs = {"node.pods"}};
    room_.filter = [](const FakeCall& call, size_t i) {
      return call.at<int64_t>(0, i) >= 3 ? uint8_t{BERTH_UNSCHEDULABLE} : uint8_t{BERTH_SUCCESS};
    };
    room_.score_hook = {.inputs = {"node.pods"}};
    room_.score = [](const FakeCall& call, size_t i) { return 50 - call.at<int64_t>(0, i); };
    room_.normalise = BERTH_NORMALISE_MAX_REVERSED;
    profile_ = world_.profile({&plugin_, &room_});
    FullOptions options;
    options.ranking_from = 1;
    for (const Evaluation one : {Evaluation::kIncremental, Evaluation::kReference})
      evaluators_.push_back(make_evaluator(one, cluster(), world_.calls(), options));
  }

  model::Cluster& cluster() { return world_.cluster(); }

  void put(uint32_t number, uint32_t zone) {
    model::Node node = FakeWorld::node("n" + std::to_string(number));
    node.labels = {{"rack", "r" + std::to_string(number % 12)},
                   {"room", std::to_string((number * 7 + zone) % 100)},
                   {"zone", std::to_string(zone)}};
    if (zone == kNoZone) node.labels.pop_back();
    if (turns_ > 1)
      node.labels.emplace_back("topology.kubernetes.io/zone", std::to_string(number / 3 % turns_));
    cluster().put_node(node);
  }
  void remove(uint32_t number) { cluster().remove_node("n" + std::to_string(number)); }

  // Places a pod without a decision.
  void place(model::Row row) {
    const model::PodRecord& pod = world_.add(FakeWorld::pod("o" + std::to_string(others_++)));
    cluster().order_rows();
    cluster().place(pod.id, row);
  }

  // Decides about one more pod with both evaluations, and places it. The decisions have to be
  // equal.
  Decision schedule(int32_t percentage) {
    const model::PodRecord& pod = world_.add(FakeWorld::pod("p" + std::to_string(pods_)));
    cluster().set_queue_time(pod.id, pods_, pods_);
    ++pods_;
    cluster().order_rows();
    std::vector<Decision> made;
    std::vector<int64_t> totals;
    std::vector<std::string> verdicts;
    for (const auto& evaluator : evaluators_) {
      Decider decider(cluster(), *evaluator, world_.calls(),
                      DecideOptions{.percentage_of_nodes_to_score = percentage});
      filtered_ = scored_ = 0;
      made.push_back(decider.decide(*profile_, {.pod = &cluster().pod(pod.id), .start = start_}));
      if (evaluator == evaluators_[0]) asked_ = {filtered_, scored_};
      // Not each time: a verdict that nobody reads is not written down.
      if (pods_ % 3 == 0) verdicts.push_back(verdicts_of(decider.search_result()));
      if (made.back().scored) totals.push_back(decider.search_result().total(made.back().row));
    }
    EXPECT_EQ(made[0].row, made[1].row);
    EXPECT_EQ(made[0].draw, made[1].draw);
    EXPECT_EQ(made[0].evaluated, made[1].evaluated);
    EXPECT_EQ(made[0].message, made[1].message);
    EXPECT_EQ(made[0].scored, made[1].scored);
    if (!verdicts.empty()) {
      EXPECT_EQ(verdicts[0], verdicts[1]);
    }
    if (totals.size() == 2) {
      EXPECT_EQ(totals[0], totals[1]);
    }
    start_ = made[0].next_start;
    if (made[0].outcome == Outcome::kScheduled) cluster().place(pod.id, made[0].row);
    return made[0];
  }

  // Positions that the incremental evaluation asked about for the last pod.
  struct Asked {
    size_t filter, score;
  };
  Asked asked() const { return asked_; }
  // The highest that the score saw in calls about classes of rows.
  uint64_t generation() const { return generation_; }

  static constexpr uint32_t kNoZone = UINT32_MAX;
  static constexpr size_t kZones = 3;

 private:
  static std::string verdicts_of(const SearchResult& found) {
    std::string text;
    found.for_each_row([&](model::Row row) {
      const bool feasible = found.refuser[row] == kFeasible;
      text += std::to_string(row) + ":" + std::to_string(found.refuser[row]) + "/" +
              std::to_string(feasible ? 0 : found.code[row]) + " ";
    });
    return text;
  }
  // The column that counts all pods by the label, or by node.
  std::string column(const std::string& key) {
    const model::StringId by = key == "node" ? 0 : cluster().strings().intern(key);
    return "node.count:" + std::to_string(cluster().counts().query({.key = by}));
  }

  FakeWorld world_;
  uint32_t turns_;
  FakePlugin plugin_{"Spread"}, room_{"Room"};
  std::unique_ptr<Profile> profile_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  uint64_t pods_ = 0, others_ = 0;
  uint32_t start_ = 0;
  size_t filtered_ = 0, scored_ = 0;
  uint64_t generation_ = 0;
  Asked asked_{};
};

TEST(RowClasses, AHookThatCountsByZoneIsAskedOncePerZone) {
  SpreadWorld world(300, {"zone"}, BERTH_NORMALISE_MAX);
  for (int pod = 0; pod < 30; ++pod) {
    EXPECT_EQ(world.schedule(100).outcome, Outcome::kScheduled);
    EXPECT_LE(world.asked().filter, 3u);
    EXPECT_LE(world.asked().score, 3u);
  }
  EXPECT_EQ(world.generation(), 0u) << "their values were gathered";
}

TEST(RowClasses, ACountByNodeDividesTheClassesOfItsZone) {
  SpreadWorld world(300, {"zone", "node"}, BERTH_NORMALISE_MAX);
  for (int pod = 0; pod < 200; ++pod) {
    EXPECT_EQ(world.schedule(100).outcome, Outcome::kScheduled);
    EXPECT_LE(world.asked().score, 12u);
  }
}

// Rooms are too many to be domains of classes; rows are grouped by the counts.
TEST(RowClasses, ANodeThatChangesItsRoomIsInAnotherClass) {
  SpreadWorld world(120, {"room"}, BERTH_NORMALISE_NONE);
  for (int pod = 0; pod < 60; ++pod) world.schedule(100);
  for (uint32_t node = 0; node < 120; ++node) {
    world.put(node, node % 4);
    world.schedule(100);
    EXPECT_LE(world.asked().score, 64u);
  }
}

// 36 classes of zone and rack, and more than 64 with the counts of nodes.
TEST(RowClasses, TooManyClassesAreAskedByRow) {
  SpreadWorld world(300, {"rack", "node"}, BERTH_NORMALISE_MAX);
  for (int pod = 0; pod < 3; ++pod) world.schedule(100);
  EXPECT_LE(world.asked().score, 64u);
  for (int pod = 0; pod < 900; ++pod) world.schedule(100);
  EXPECT_EQ(world.schedule(100).outcome, Outcome::kUnschedulable);
}

TEST(RowClasses, ANodeThatChangesItsZoneIsInAnotherClass) {
  SpreadWorld world(90, {"zone"}, BERTH_NORMALISE_NONE);
  for (int pod = 0; pod < 20; ++pod) world.schedule(100);
  for (uint32_t node = 0; node < 90; node += 3) {
    world.put(node, node % 2 == 0 ? 3 : SpreadWorld::kNoZone);
    world.schedule(100);
  }
}

// Each pod makes the count of its zone odd, so that the zone is refused until another comes.
TEST(RowClasses, AZoneIsRefusedAndNoLonger) {
  for (const char* key : {"zone", "node", "room"}) {
    SpreadWorld world(300, {key}, BERTH_NORMALISE_MAX, SpreadWorld::Refuses::kOdd);
    for (int round = 0; round < 40; ++round) {
      for (int zone = 0; zone < 3; ++zone)
        EXPECT_EQ(world.schedule(100).outcome, Outcome::kScheduled);
      const Decision refused = world.schedule(100);
      EXPECT_EQ(refused.outcome, Outcome::kUnschedulable);
      EXPECT_EQ(refused.evaluated, 300u);
      for (model::Row row = 0; row < 3; ++row) {
        world.place(round * 3 + row);
        EXPECT_EQ(world.schedule(100).outcome, Outcome::kScheduled);
      }
      for (model::Row row = 150; row < 153; ++row) world.place(row);
    }
  }
}

// A hundred rows of three hundred, from where the last search stopped.
TEST(RowClasses, WindowsWrapWhileZonesAreRefused) {
  for (const auto refuses : {SpreadWorld::Refuses::kSkewed, SpreadWorld::Refuses::kOdd}) {
    SpreadWorld world(300, {"zone", "node"}, BERTH_NORMALISE_MIN_MAX, refuses);
    uint32_t refused = 0;
    for (int pod = 0; pod < 200; ++pod) {
      const Decision decision = world.schedule(30);
      EXPECT_LE(decision.feasible, 100u);
      refused += decision.evaluated - decision.feasible;
      if (pod % 3 == 2) world.place(static_cast<model::Row>(pod));
    }
    EXPECT_GT(refused, 0u);
  }
}

TEST(RowClasses, ANodeMovesToARefusedZoneAndANewOneComesThere) {
  SpreadWorld world(130, {"zone"}, BERTH_NORMALISE_MAX, SpreadWorld::Refuses::kFull);
  for (model::Row pod = 0; pod < 4; ++pod) world.place(pod * 3);  // zone 0
  const uint32_t before = world.schedule(100).feasible;
  EXPECT_EQ(before, 86u);
  world.put(1, 0);
  EXPECT_EQ(world.schedule(100).feasible, 85u);
  world.put(130, 0);
  EXPECT_EQ(world.schedule(100).feasible, 85u);
  world.put(131, 1);  // the third pod filled a node
  EXPECT_EQ(world.schedule(100).feasible, 85u);
  world.put(130, 2);
  while (world.schedule(100).outcome == Outcome::kScheduled) continue;
  world.put(5, 7);  // an empty zone
  EXPECT_EQ(world.schedule(100).feasible, 1u);
}

RC_GTEST_PROP(RowClassesProperty, DecisionsAreThoseOfTheReference, ()) {
  using Keys = std::vector<std::string>;
  const auto keys =
      *rc::gen::element(Keys{"zone"}, Keys{"rack"}, Keys{"node"}, Keys{"room"},
                        Keys{"zone", "node"}, Keys{"rack", "node"}, Keys{"room", "rack"});
  const auto normalise = *rc::gen::element<uint32_t>(
      BERTH_NORMALISE_NONE, BERTH_NORMALISE_MAX, BERTH_NORMALISE_MAX_REVERSED,
      BERTH_NORMALISE_MIN_MAX, BERTH_NORMALISE_SPREAD);
  const auto nodes = *rc::gen::inRange<uint32_t>(1, 260);
  using Refuses = SpreadWorld::Refuses;
  SpreadWorld world(nodes, keys, normalise,
                    *rc::gen::element(Refuses::kSkewed, Refuses::kOdd, Refuses::kFull),
                    *rc::gen::element<uint32_t>(1, 3, 20));
  const auto steps = *rc::gen::inRange(1, 120);
  for (int step = 0; step < steps; ++step) {
    const auto node = *rc::gen::inRange<uint32_t>(0, nodes + 5);
    switch (*rc::gen::inRange(0, 12)) {
      case 0:
        world.put(node, *rc::gen::element<uint32_t>(0, 1, 2, 3, SpreadWorld::kNoZone));
        break;
      case 1:
        world.remove(node);
        break;
      case 2:
      case 3:
        world.cluster().order_rows();
        if (const model::Row rows = world.cluster().nodes().rows(); rows != 0)
          world.place(node % rows);
        break;
      default:
        world.schedule(*rc::gen::element(0, 30, 100));
    }
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace berth::framework
