#include "cli/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kHostile[] = "<b>&\"x\" \x1b[2J";
constexpr char kSafe[] = "&lt;b&gt;&amp;&quot;x&quot; \\x1b[2J";

TEST(Page, TextFromOutsideIsNeverMarkup) { EXPECT_EQ(safe_text(kHostile), kSafe); }

TEST(Page, EachPartIsSafe) {
  std::string page = page_head(kHostile, kHostile);
  facts_part(page, kHostile, {{kHostile, kHostile}});
  counts_part(page, kHostile, {{1, kHostile}});
  lines_part(page, kHostile, {kHostile});
  table_part(page, kHostile, {.names = {kHostile}}, {{kHostile}});
  narrow_field(page, kHostile);
  EXPECT_THAT(page, HasSubstr(kSafe));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

TEST(Page, PartsWithoutRowsAreLeftOut) {
  std::string page;
  facts_part(page, "t", {});
  counts_part(page, "t", {});
  lines_part(page, "t", {});
  table_part(page, "t", {.names = {"n"}}, {});
  EXPECT_THAT(page, IsEmpty());
}

// A browser runs the script of its hash alone, and nothing on a page without one.
TEST(Page, PolicyAllowsOurScriptAlone) {
  const std::string plain = page_head("p", "t") + page_end();
  EXPECT_THAT(plain, HasSubstr("default-src 'none'"));
  EXPECT_THAT(plain, Not(HasSubstr("script")));
  const std::string with = page_head("p", "t", PageScript::kNarrow) + page_end(PageScript::kNarrow);
  EXPECT_THAT(with, HasSubstr("; script-src 'sha256-"));
  EXPECT_THAT(with, Not(HasSubstr("script-src 'unsafe")));
  EXPECT_THAT(with, HasSubstr("<script>"));
}

TEST(Page, TableTellsNumbersAndWhatItLeavesOut) {
  std::string page;
  table_part(page, "t", {.names = {"a", "b"}, .numbers = 1}, {{"x", "1"}}, 2000);
  EXPECT_THAT(page, HasSubstr("<td>x</td><td class=\"number\">1</td>"));
  EXPECT_THAT(page, HasSubstr("and 2,000 more"));
}

}  // namespace
}  // namespace berth::cli
