#include "engine/base/text/suggestion.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Suggestion, IsTheNearestWord) {
  const std::vector<std::string> words = {"seed", "threads", "plugins", "pods"};
  EXPECT_EQ(nearest_word("theads", words), "threads");    // a character is missing
  EXPECT_EQ(nearest_word("threadss", words), "threads");  // one too many
  EXPECT_EQ(nearest_word("plugons", words), "plugins");   // another one
  EXPECT_EQ(nearest_word("htreads", words), "threads");   // two swapped
  EXPECT_EQ(nearest_word("SEED", words), "seed");
  EXPECT_EQ(nearest_word("pod", words), "pods");
}

TEST(Suggestion, IsNothingFarOff) {
  EXPECT_EQ(nearest_word("frobnicate", {"seed", "threads"}), "");
  EXPECT_EQ(nearest_word("xy", {"pods"}), "");
  EXPECT_EQ(nearest_word("pods", {}), "");
  EXPECT_EQ(nearest_word(std::string(100'000, 'a'), {std::string(100'000, 'a')}), "");
}

}  // namespace
}  // namespace berth
