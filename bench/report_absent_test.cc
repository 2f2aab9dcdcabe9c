// Tests a build without the report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/report.h"
#include "engine/base/error.h"

namespace berth::bench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ReportAbsent, IsRefusedByName) {
  try {
    require_report();
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("--report"), HasSubstr("BERTH_REPORT=OFF")));
  }
  EXPECT_THROW(report_page("{}"), Error);
}

}  // namespace
}  // namespace berth::bench
