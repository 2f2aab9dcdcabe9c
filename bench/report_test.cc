#include "bench/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bench/report_text.h"

namespace berth::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kOpen = R"(<script type="application/json" id="data">)";

// The data as a browser sees it: everything up to the first end of a script.
std::string data_of(const std::string& page) {
  const size_t begin = page.find(kOpen) + kOpen.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

class Report : public testing::Test {
 protected:
  void SetUp() override {
    if (!BERTH_REPORT) GTEST_SKIP() << "this build has no report (BERTH_REPORT=OFF)";
    ASSERT_FALSE(report_before_data().empty()) << "uPlot is missing: run ./dev setup";
  }
};

TEST_F(Report, HoldsTheDataAsTheyCame) {
  const std::string json =
      R"({"format":"berth-bench/1","command":"a & \"b\" \u00e9","results":[]})";
  EXPECT_EQ(data_of(report_page(json)), json);
}

TEST_F(Report, NothingInTheDataEndsThem) {
  const std::string page =
      report_page(R"({"a":"</script><img src=x onerror=alert(1)>","b":"<!-- <script>"})");
  EXPECT_EQ(
      data_of(page),
      R"({"a":"\u003c/script>\u003cimg src=x onerror=alert(1)>","b":"\u003c!-- \u003cscript>"})");
  EXPECT_THAT(page, Not(HasSubstr("<img")));
}

TEST_F(Report, IsOnePageThatAsksForNothing) {
  const std::string page = report_page("{}");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<script src")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("<link rel=\"stylesheet\"")));
}

TEST_F(Report, BringsTheLicenseOfItsLibraryAlong) {
  EXPECT_THAT(report_page("{}"), HasSubstr("Permission is hereby granted, free of charge"));
}

TEST_F(Report, AnEmptyTextIsData) { EXPECT_EQ(data_of(report_page("")), ""); }

}  // namespace
}  // namespace berth::bench
