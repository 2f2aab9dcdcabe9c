#include "engine/model/cluster/nodes/node_names.h"

#include <gtest/gtest.h>

namespace berth::model {
namespace {

TEST(NodeNames, HaveOneSlotEach) {
  Strings strings;
  NodeNames names(strings);
  const StringId a = strings.intern("a"), b = strings.intern("b");
  EXPECT_EQ(names.find(a), kNoSlot);
  EXPECT_EQ(names.add(a), std::pair(Slot{0}, true));
  EXPECT_EQ(names.add(b), std::pair(Slot{1}, true));
  EXPECT_EQ(names.add(a), std::pair(Slot{0}, false));
  EXPECT_EQ(names.find(b), 1u);
  EXPECT_EQ(names.text(1), "b");
  EXPECT_EQ(names.slots(), 2u);
}

TEST(NodeNames, RetiredSlotsAreUsedAgain) {
  Strings strings;
  NodeNames names(strings);
  const StringId a = strings.intern("a"), b = strings.intern("b"), c = strings.intern("c");
  names.add(a);
  names.add(b);
  names.retire(0, a);
  EXPECT_EQ(names.find(a), kNoSlot);
  EXPECT_EQ(names.text(0), "");
  EXPECT_EQ(names.add(c), std::pair(Slot{0}, true));
  EXPECT_EQ(names.text(0), "c");
  EXPECT_EQ(names.slots(), 2u);
}

}  // namespace
}  // namespace berth::model
