#include "engine/framework/kept/kept_reasons.h"

#include <gtest/gtest.h>

#include <set>

namespace berth::framework {
namespace {

using Refused = std::set<Refuser>;

TEST(KeptReasons, TellFiltersApartThatSayTheSame) {
  KeptReasons reasons;
  reasons.resize(3);
  const uint32_t first = reasons.number_of(1, {"full"}), second = reasons.number_of(2, {"full"});
  EXPECT_NE(first, second);
  EXPECT_EQ(reasons.number_of(2, {"full"}), second);
  reasons.set(0, first);
  reasons.set(1, first);
  reasons.set(2, second);
  EXPECT_EQ(reasons.count().refusers, (Refused{1, 2}));
  EXPECT_EQ(reasons.count().counts, (ReasonCounts{{"full", 3}}));
}

TEST(KeptReasons, NameNoFilterThatRefusesNoRowAnyLonger) {
  KeptReasons reasons;
  reasons.resize(3);
  const uint32_t full = reasons.number_of(1, {"full", "busy"});
  const uint32_t cordoned = reasons.number_of(4, {"cordoned"});
  reasons.set(0, full);
  reasons.set(2, cordoned);
  EXPECT_EQ(reasons.count().refusers, (Refused{1, 4}));
  reasons.set(0, cordoned);
  EXPECT_EQ(reasons.count().refusers, Refused{4});
  EXPECT_EQ(reasons.count().counts, (ReasonCounts{{"cordoned", 2}}));
  reasons.set(1, full);
  reasons.resize(2);  // the row of node 2 is gone
  EXPECT_EQ(reasons.count().counts, (ReasonCounts{{"busy", 1}, {"cordoned", 1}, {"full", 1}}));
  reasons.clear();
  EXPECT_EQ(reasons.count().refusers, Refused{});
}

}  // namespace
}  // namespace berth::framework
