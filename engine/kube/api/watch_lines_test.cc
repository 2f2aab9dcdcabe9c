#include "engine/kube/api/watch_lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::kube {
namespace {

using CutLines = std::vector<std::string>;

void feed(WatchLines& lines, std::string_view data, CutLines& out) {
  lines.feed(data);
  while (const auto line = lines.next()) out.emplace_back(*line);
}

TEST(WatchLines, AreCutFromPartsThatEndAnywhere) {
  const std::string text = "one\n\ntwo two\nthree\nnone";
  const CutLines expected = {"one", "", "two two", "three"};
  for (size_t first = 0; first <= text.size(); ++first) {
    for (size_t second = first; second <= text.size(); ++second) {
      WatchLines lines;
      CutLines out;
      feed(lines, text.substr(0, first), out);
      feed(lines, text.substr(first, second - first), out);
      feed(lines, text.substr(second), out);
      EXPECT_EQ(out, expected) << first << " " << second;
    }
  }
}

TEST(WatchLines, AreNotCopiedIfTheyComeAtOnce) {
  const std::string_view text = "begin\nwhole\nend";
  WatchLines lines;
  CutLines out;
  feed(lines, "the ", out);
  lines.feed(text);
  EXPECT_EQ(lines.next(), "the begin");
  const auto line = lines.next();
  ASSERT_EQ(line, "whole");
  EXPECT_EQ(line->data(), text.data() + 6);
  EXPECT_EQ(lines.next(), std::nullopt);
  feed(lines, "\n", out);
  EXPECT_EQ(out, CutLines{"end"});
}

TEST(WatchLines, AreBounded) {
  for (const std::string text : {"12345\n123456\n", "12345\n123456"}) {
    for (size_t cut = 0; cut <= text.size(); ++cut) {
      WatchLines lines(5);
      CutLines out;
      feed(lines, text.substr(0, cut), out);
      if (!lines.too_long()) feed(lines, text.substr(cut), out);
      EXPECT_EQ(out, CutLines{"12345"}) << cut;
      EXPECT_TRUE(lines.too_long()) << cut;
      EXPECT_EQ(lines.next(), std::nullopt);
    }
  }
}

}  // namespace
}  // namespace berth::kube
