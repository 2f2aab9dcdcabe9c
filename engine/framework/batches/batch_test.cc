// Batches, and the order in which scored nodes leave, against a plain model of Go's heap.

#include "engine/framework/batches/batch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeWorld;

// container/heap over node scores, as in kube-scheduler: Init, then Pop until it is empty.
class GoHeap {
 public:
  explicit GoHeap(std::vector<ScoredRow> list) : list_(std::move(list)) {
    for (size_t i = list_.size() / 2; i-- > 0;) down(i, list_.size());
  }
  model::Row pop() {
    std::swap(list_[0], list_[list_.size() - 1]);
    down(0, list_.size() - 1);
    const model::Row row = list_.back().row;
    list_.pop_back();
    return row;
  }

 private:
  bool less(size_t i, size_t j) const { return list_[i].total > list_[j].total; }
  void down(size_t i0, size_t n) {
    size_t i = i0;
    for (;;) {
      const size_t j1 = 2 * i + 1;
      if (j1 >= n) break;
      size_t j = j1;
      if (const size_t j2 = j1 + 1; j2 < n && less(j2, j1)) j = j2;
      if (!less(j, i)) break;
      std::swap(list_[i], list_[j]);
      i = j;
    }
  }

  std::vector<ScoredRow> list_;
};

class Batches {
 public:
  explicit Batches(uint32_t nodes) : world_(nodes) { world_.cluster().order_rows(); }

  model::Cluster& cluster() { return world_.cluster(); }
  model::StringId name(model::Row row) {
    const model::NodeTable& nodes = cluster().nodes();
    return nodes.node(nodes.slot_of(row)).name;
  }
  static Batch::Turn turn(uint64_t cycle, std::string signature = "a", int milliseconds = 0) {
    return {std::move(signature), cycle, std::chrono::milliseconds(milliseconds)};
  }

 private:
  FakeWorld world_;
};

std::vector<ScoredRow> random_scores(uint32_t rows) {
  const auto start = *rc::gen::inRange<model::Row>(0, rows);
  const int highest = *rc::gen::inRange(1, 6);
  std::vector<ScoredRow> scored;
  for (model::Row i = 0; i < rows; ++i)
    scored.push_back({(start + i) % rows, *rc::gen::inRange(0, highest)});
  return scored;
}

RC_GTEST_PROP(ScoredNodes, LeaveAsFromGosHeap, ()) {
  const auto rows = *rc::gen::inRange<uint32_t>(2, 60);
  Batches world(rows);
  const std::vector<ScoredRow> scored = random_scores(rows);
  GoHeap expected(scored);
  ScoredNodes nodes(world.cluster(), TieBreak::kHeap);
  nodes.fill(scored, expected.pop());
  for (uint32_t left = rows - 1; left != 0; --left) {
    RC_ASSERT(!nodes.empty());
    RC_ASSERT(nodes.top() == world.name(expected.pop()));
    nodes.pop();
  }
  RC_ASSERT(nodes.empty());
}

RC_GTEST_PROP(ScoredNodes, OfEqualTotalsLeaveByName, ()) {
  const auto rows = *rc::gen::inRange<uint32_t>(2, 30);
  Batches world(rows);
  std::vector<ScoredRow> scored = random_scores(rows);
  ScoredNodes nodes(world.cluster(), TieBreak::kName);
  std::vector<ScoredRow> expected = scored;
  std::ranges::sort(expected, [&](const ScoredRow& a, const ScoredRow& b) {
    if (a.total != b.total) return a.total > b.total;
    return world.cluster().node_name(a.row) < world.cluster().node_name(b.row);
  });
  nodes.fill(scored, expected.front().row);
  for (size_t i = 1; i < expected.size(); ++i) {
    RC_ASSERT(nodes.top() == world.name(expected[i].row));
    nodes.pop();
  }
}

TEST(Batch, ServesTheNextEqualPodForHalfASecond) {
  Batches world(4);
  Batch batch(world.cluster(), TieBreak::kHeap);
  EXPECT_FALSE(batch.serves(world.turn(1)));
  const std::vector<ScoredRow> scored = {{0, 5}, {1, 7}, {2, 6}, {3, 1}};
  batch.decided(world.turn(7), 1, 0, scored);
  EXPECT_EQ(batch.chosen(), world.name(1));
  EXPECT_TRUE(batch.serves(world.turn(8, "a", 500)));
  EXPECT_FALSE(batch.serves(world.turn(8, "a", 501)));
  EXPECT_FALSE(batch.serves(world.turn(9)));
  EXPECT_FALSE(batch.serves(world.turn(7)));
  EXPECT_FALSE(batch.serves(world.turn(8, "b")));
  EXPECT_FALSE(batch.serves({std::nullopt, 8, Time{}}));
  batch.forget();
  EXPECT_FALSE(batch.serves(world.turn(8)));
}

TEST(Batch, HandsOutOneNodeAfterTheOther) {
  Batches world(3);
  Batch batch(world.cluster(), TieBreak::kHeap);
  const std::vector<ScoredRow> scored = {{0, 5}, {1, 7}, {2, 6}};
  batch.decided(world.turn(1), 1, 0, scored);
  EXPECT_EQ(batch.next(), world.name(2));
  batch.decided(world.turn(2, "a", 400), 2, batch.next(), {});
  EXPECT_EQ(batch.chosen(), world.name(2));
  EXPECT_TRUE(batch.serves(world.turn(3, "a", 500)));
  EXPECT_FALSE(batch.serves(world.turn(3, "a", 600))) << "as old as its scores";
  EXPECT_EQ(batch.next(), world.name(0));
  batch.decided(world.turn(3, "a", 450), 0, batch.next(), {});
  EXPECT_FALSE(batch.serves(world.turn(4, "a", 450))) << "no node is left";
}

TEST(Batch, EndsWithAPodThatDidNotTakeTheHint) {
  Batches world(3);
  Batch batch(world.cluster(), TieBreak::kHeap);
  const std::vector<ScoredRow> scored = {{0, 5}, {1, 7}, {2, 6}};
  batch.decided(world.turn(1), 1, 0, scored);
  batch.decided(world.turn(2), 0, batch.next(), {});  // its nominated node
  EXPECT_FALSE(batch.serves(world.turn(3)));
  // A pod that cannot be compared, or whose node was the only one.
  batch.decided(world.turn(3), 1, 0, scored);
  batch.decided({std::nullopt, 4, Time{}}, 1, 0, scored);
  EXPECT_FALSE(batch.serves({std::nullopt, 5, Time{}}));
  EXPECT_FALSE(batch.serves(world.turn(5)));
}

}  // namespace
}  // namespace berth::framework
