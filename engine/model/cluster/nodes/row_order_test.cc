#include "engine/model/cluster/nodes/row_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth::model {
namespace {

class RowOrders : public testing::Test {
 protected:
  Slot add(const std::string& zone) {
    order_.add_slot();
    order_.add(next_, zone);
    order_.append(next_);
    return next_++;
  }
  std::vector<Slot> slots() const {
    std::vector<Slot> slots;
    for (Row row = 0; row < order_.rows(); ++row) {
      slots.push_back(order_.slot_of(row));
      EXPECT_EQ(order_.row_of(slots.back()), row);
    }
    return slots;
  }

  RowOrder order_;
  Slot next_ = 0;
};

TEST_F(RowOrders, NothingMovesWhereNodesAreAddedInOrder) {
  for (int turn = 0; turn < 20; ++turn)
    for (const char* zone : {"a", "b"}) add(zone);
  EXPECT_FALSE(order_.ordered());
  EXPECT_FALSE(order_.follow_tree());
  EXPECT_TRUE(order_.ordered());
  EXPECT_EQ(order_.rows(), 40u);
}

TEST_F(RowOrders, AFewNodesAreARenumbering) {
  for (const char* zone : {"a", "a", "b"}) add(zone);
  const auto added = order_.follow_tree();
  ASSERT_TRUE(added);
  EXPECT_EQ(slots(), (std::vector<Slot>{0, 2, 1}));
  order_.remove(0, "a");
  EXPECT_EQ(order_.rows(), 3u);
  const auto removed = order_.follow_tree();
  ASSERT_TRUE(removed);
  EXPECT_EQ(slots(), (std::vector<Slot>{1, 2}));
  EXPECT_EQ(order_.row_of(0), kNoRow);
  const Renumbering* by = order_.renumbering(removed->renumbering);
  ASSERT_NE(by, nullptr);
  EXPECT_EQ(by->before, 3u);
  EXPECT_EQ(by->after, 2u);
  EXPECT_NE(order_.renumbering(added->renumbering), nullptr);
  EXPECT_EQ(order_.renumbering(0), nullptr);
}

TEST_F(RowOrders, ManyNodesArePermuted) {
  add("a");
  EXPECT_FALSE(order_.follow_tree());
  for (int i = 0; i < 10; ++i) add("a");
  for (int i = 0; i < 2; ++i) add("b");
  const auto moved = order_.follow_tree();
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->renumbering, 0u);
  EXPECT_EQ(moved->first, 1u);
  EXPECT_EQ(moved->rows_before, (std::vector<uint32_t>{11, 1, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(slots(), (std::vector<Slot>{0, 11, 1, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST_F(RowOrders, ANodeThatReturnsKeepsItsRow) {
  for (const char* zone : {"a", "b", "a"}) add(zone);
  EXPECT_FALSE(order_.follow_tree());
  order_.remove(0, "a");
  order_.add(0, "a");
  EXPECT_FALSE(order_.follow_tree());
  EXPECT_EQ(slots(), (std::vector<Slot>{0, 1, 2}));
}

TEST_F(RowOrders, NewRowsAreDroppedWithTheirNodes) {
  add("a");
  EXPECT_FALSE(order_.follow_tree());
  const Slot slot = add("a");
  order_.remove(slot, "a");
  const auto moved = order_.follow_tree();
  ASSERT_TRUE(moved);
  EXPECT_NE(moved->renumbering, 0u);
  EXPECT_EQ(slots(), std::vector<Slot>{0});
  EXPECT_EQ(order_.row_of(slot), kNoRow);
}

}  // namespace
}  // namespace berth::model
