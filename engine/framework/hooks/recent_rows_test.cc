// The rows that changed last are those of the change log, with the values that they have.

#include "engine/framework/hooks/recent_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "engine/framework/ranking/rows/row_changes.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeWorld;

constexpr uint32_t kWorldNodes = 90;

// A cluster in which pods and nodes come and go.
class MovingWorld {
 public:
  MovingWorld() : world_(kWorldNodes) { cluster().order_rows(); }

  model::Cluster& cluster() { return world_.cluster(); }
  const model::Column& pods() { return cluster().column(cluster().find_column("node.pods")); }

  void place(uint32_t where) {
    const model::PodId pod = world_.add(FakeWorld::pod("p" + std::to_string(made_++))).id;
    cluster().place(pod, static_cast<model::Row>(where % cluster().nodes().rows()));
    placed_.push_back(pod);
  }
  void remove(uint32_t which) {
    if (placed_.empty()) return;
    std::swap(placed_[which % placed_.size()], placed_.back());
    cluster().remove_pod(placed_.back());
    placed_.pop_back();
  }
  void add_node() {
    cluster().put_node(FakeWorld::node("m" + std::to_string(made_++)));
    cluster().order_rows();
  }
  void label(uint32_t which) {
    model::Node node = FakeWorld::node("n" + std::to_string(which % kWorldNodes));
    node.labels.emplace_back("made", std::to_string(made_++));
    cluster().put_node(node);
    cluster().order_rows();
  }
  void remove_node(uint32_t which) {
    cluster().remove_node("n" + std::to_string(which % kWorldNodes));
    cluster().order_rows();
  }

 private:
  FakeWorld world_;
  std::vector<model::PodId> placed_;
  uint32_t made_ = 0;
};

void change(MovingWorld& world) {
  const auto what = *rc::gen::inRange(0, 40);
  const auto number = *rc::gen::arbitrary<uint32_t>();
  if (what < 24) return world.place(number);
  if (what < 34) return world.remove(number);
  if (what < 36) return world.add_node();
  if (what < 39) return world.label(number);
  world.remove_node(number);
}

std::map<model::Row, model::Changes> rows_of(const RowChanges& changes, model::Changes inputs) {
  std::map<model::Row, model::Changes> found;
  std::vector<model::Row> rows;
  if (!changes.concern(inputs, {}, rows)) return {{model::kNoRow, inputs}};
  for (const model::Row row : rows) found[row] = inputs;
  return found;
}

RC_GTEST_PROP(RecentRows, AreThoseOfTheLog, ()) {
  MovingWorld world;
  RowChanges changes;
  std::vector<uint64_t> readers(4, world.cluster().log().end());
  const model::Changes masks[] = {model::change::kPods, model::change::kLabels,
                                  model::change::kPods | model::change::kAllocatable};
  for (int i = 0; i < 60; ++i) {
    for (int n = *rc::gen::inRange(0, 9); n > 0; --n) change(world);
    uint64_t& position = readers[*rc::gen::inRange<size_t>(0, readers.size())];
    const model::NodeTable& nodes = world.cluster().nodes();
    const model::ChangeLog& log = world.cluster().log();
    RowChanges anew;  // reads the log itself
    const bool known = changes.read(nodes, log, position);
    RC_ASSERT(known == anew.read(nodes, log, position));
    position = log.end();
    if (!known) continue;
    RC_ASSERT(changes.renumberings() == anew.renumberings());
    std::set<model::Row> made, expected;
    changes.for_each_new([&](model::Row row) { made.insert(row); });
    anew.for_each_new([&](model::Row row) { expected.insert(row); });
    RC_ASSERT(made == expected);
    for (const model::Changes inputs : masks)
      RC_ASSERT(rows_of(changes, inputs) == rows_of(anew, inputs));
  }
}

void check_summary(const RecentRows& recent, const RecentRows::Range& range) {
  RecentRows::Summary plainly;
  std::set<model::Row> rows;
  for (size_t place = range.begin; place < range.end; ++place) {
    plainly.any |= recent.inputs(place);
    plainly.each &= recent.inputs(place);
    plainly.some_all |= recent.inputs(place) == model::change::kAll;
    plainly.stale += !rows.insert(recent.row(place)).second;
  }
  const RecentRows::Summary summary = recent.summary(range);
  RC_ASSERT(summary.any == plainly.any);
  RC_ASSERT(summary.each == plainly.each);
  RC_ASSERT(summary.some_all == plainly.some_all);
  RC_ASSERT(summary.stale == plainly.stale);
}

RC_GTEST_PROP(RecentRows, HaveTheValuesOfTheirColumns, ()) {
  MovingWorld world;
  RecentRows recent;
  uint64_t position = world.cluster().log().end();
  for (int i = 0; i < 60; ++i) {
    for (int n = *rc::gen::inRange(0, 9); n > 0; --n) change(world);
    recent.follow(world.cluster().nodes(), world.cluster().log());
    const model::Column& pods = world.pods();
    const std::byte* values = recent.values(pods);
    RecentRows::Range range;
    if (recent.since(position, range)) {
      check_summary(recent, range);
      check_summary(recent, {range.end, range.end});
      for (size_t place = range.begin; place < range.end; ++place) {
        int64_t value = 0;
        std::memcpy(&value, values + place * sizeof value, sizeof value);
        if (recent.latest(place)) {
          RC_ASSERT(value == pods.values<int64_t>()[recent.row(place)]);
        }
      }
    }
    if (*rc::gen::inRange(0, 3) == 0) position = world.cluster().log().end();
  }
}

// More changes than the list has room for: who reads seldom is told so, others read on.
TEST(RecentRows, GoBackAsFarAsThereIsRoom) {
  FakeWorld world(100);
  model::Cluster& cluster = world.cluster();
  cluster.order_rows();
  RecentRows recent;
  recent.follow(cluster.nodes(), cluster.log());
  const uint64_t seldom = cluster.log().end();
  std::vector<uint64_t> positions{seldom};
  for (int i = 0; i < 5000; ++i) {
    cluster.place(world.add(FakeWorld::pod("p" + std::to_string(i))).id,
                  static_cast<model::Row>(i % 100));
    recent.follow(cluster.nodes(), cluster.log());
    positions.push_back(cluster.log().end());
  }
  RecentRows::Range range;
  EXPECT_FALSE(recent.since(seldom, range));
  for (size_t ago : {size_t{1}, size_t{2}, size_t{3}, size_t{700}}) {
    ASSERT_TRUE(recent.since(positions[positions.size() - 1 - ago], range));
    EXPECT_EQ(range.size(), ago);
    EXPECT_EQ(recent.row(range.begin), (5000 - ago) % 100);
  }
}

// The rows of entries that name the column, from the position on.
std::multiset<model::Row> rows_of_column(const model::ChangeLog& log, uint64_t position,
                                         model::ColumnId column) {
  std::multiset<model::Row> rows;
  for (; position != log.end(); ++position)
    if (log.at(position).domain == column) rows.insert(log.at(position).row);
  return rows;
}

RC_GTEST_PROP(RecentRows, ChangesOfColumnsAreThoseOfTheLog, ()) {
  constexpr model::ColumnId kColumns = 5;
  FakeWorld world(kWorldNodes);
  model::ChangeLog log;
  RowChanges changes;
  std::vector<uint64_t> readers(4, log.end());
  for (int i = 0; i < 60; ++i) {
    for (int n = *rc::gen::inRange(0, 9); n > 0; --n) {
      const auto row = *rc::gen::inRange<model::Row>(0, kWorldNodes);
      const auto column = *rc::gen::inRange<model::ColumnId>(0, kColumns);
      const bool every = column != 0 && *rc::gen::inRange(0, 40) == 0;
      log.append(model::Table::kNodes, every ? model::kEveryRow : row,
                 column == 0 ? model::change::kPods : model::change::kCounts, column);
    }
    uint64_t& position = readers[*rc::gen::inRange<size_t>(0, readers.size())];
    if (changes.read(world.cluster().nodes(), log, position)) {
      for (model::ColumnId column = 1; column < kColumns; ++column) {
        const std::multiset<model::Row> expected = rows_of_column(log, position, column);
        RC_ASSERT(changes.may_concern(0, {column}) == !expected.empty());
        std::vector<model::Row> rows;
        const bool named = changes.concern(0, {column}, rows);
        RC_ASSERT(named == !expected.contains(model::kEveryRow));
        if (named) RC_ASSERT(std::multiset<model::Row>(rows.begin(), rows.end()) == expected);
        RC_ASSERT(named || !changes.rows_are_named());
      }
    }
    position = log.end();
  }
}

// Each of many columns changes seldom: who reads one finds its few changes.
TEST(RecentRows, ChangesOfColumnsGoBackAsFarAsThereIsRoom) {
  constexpr model::ColumnId kColumns = 1000;
  FakeWorld world(kWorldNodes);
  model::ChangeLog log;
  RecentRows recent;
  recent.follow(world.cluster().nodes(), log);
  const uint64_t seldom = log.end();
  for (uint32_t i = 0; i < 50'000; ++i) {
    log.append(model::Table::kNodes, i % kWorldNodes, model::change::kCounts, 1 + i % kColumns);
    if (i % 100 == 0) recent.follow(world.cluster().nodes(), log);
  }
  recent.follow(world.cluster().nodes(), log);
  RecentRows::Range range;
  EXPECT_FALSE(recent.since(seldom, range));
  const uint64_t position = log.end() - 10'000;
  ASSERT_TRUE(recent.since(position, range));
  EXPECT_EQ(range.size(), 0u);
  EXPECT_EQ(recent.columns_since(position).size(), 10'000u);
  std::vector<model::Row> rows;
  recent.for_each_of(7, position, [&](model::Row row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows.front(), 49'006 % kWorldNodes) << "the newest first";
}

}  // namespace
}  // namespace berth::framework
