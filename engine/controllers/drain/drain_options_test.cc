#include "engine/controllers/drain/drain_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "engine/base/error.h"
#include "engine/controllers/drain/label_selector_text.h"

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string fault_of(std::string_view text) try {
  parse_drain_options(text);
  return {};
} catch (const Error& error) {
  return error.message();
}

TEST(DrainOptions, AreThoseOfKubectl) {
  EXPECT_EQ(parse_drain_options(""), DrainOptions());
  EXPECT_EQ(parse_drain_options(" --force --ignore-daemonsets=true\t--delete-emptydir-data "
                                "--disable-eviction --grace-period 90 --timeout=1m30s "
                                "--pod-selector='tier in (a, b)'"),
            (DrainOptions{.force = true,
                          .ignore_daemon_sets = true,
                          .delete_empty_dir_data = true,
                          .disable_eviction = true,
                          .grace_seconds = 90,
                          .timeout = 90s,
                          .pod_selector = {{}, {{"tier", "In", {"a", "b"}}}}}));
  EXPECT_FALSE(parse_drain_options("--force --force=false").force);
  EXPECT_EQ(parse_drain_options("--grace-period=5 --grace-period=-1").grace_seconds, std::nullopt);
}

TEST(DrainOptions, ThatARunDoesNotPlayAreRefusedByName) {
  for (const char* name :
       {"chunk-size", "dry-run", "selector", "skip-wait-for-delete-timeout", "delete-local-data"})
    EXPECT_EQ(fault_of("--" + std::string(name) + "=1"),
              "the option --" + std::string(name) + " of kubectl drain is not played here");
}

TEST(DrainOptions, ThatAreWrongAreNamed) {
  EXPECT_EQ(fault_of("--forced"), "kubectl drain has no option --forced");
  EXPECT_THAT(fault_of("n1"), HasSubstr("found \"n1\""));
  EXPECT_THAT(fault_of("-l app=web"), HasSubstr("found \"-l\""));
  EXPECT_EQ(fault_of("--force=yes"), "--force: expected true or false, found \"yes\"");
  EXPECT_EQ(fault_of("--timeout"), "--timeout: expected a value");
  EXPECT_THAT(fault_of("--timeout 5"), HasSubstr("--timeout: expected a duration"));
  EXPECT_THAT(fault_of("--timeout -5s"), HasSubstr("--timeout: expected a duration"));
  EXPECT_EQ(fault_of("--grace-period=1s"),
            "--grace-period: expected a number of seconds, found \"1s\"");
  EXPECT_THAT(fault_of("--pod-selector 'a"), HasSubstr("to end a quotation"));
  EXPECT_THAT(fault_of("--pod-selector a>1"), HasSubstr("--pod-selector: expected KEY"));
}

TEST(LabelSelectorText, HasEachFormOfARequirement) {
  EXPECT_EQ(parse_label_selector(" "), model::LabelSelector());
  EXPECT_EQ(parse_label_selector("a=1, b == 2,c!=3,d in (4, 5),e notin (6),f,!g,h="),
            (model::LabelSelector{{},
                                  {{"a", "In", {"1"}},
                                   {"b", "In", {"2"}},
                                   {"c", "NotIn", {"3"}},
                                   {"d", "In", {"4", "5"}},
                                   {"e", "NotIn", {"6"}},
                                   {"f", "Exists", {}},
                                   {"g", "DoesNotExist", {}},
                                   {"h", "In", {""}}}}));
  for (const char* wrong : {"a b", "a=b c", "=1", "a,", "a in (b", "a (b)", "a on (b)", "!", "a<1"})
    EXPECT_THROW(parse_label_selector(wrong), Error) << wrong;
}

}  // namespace
}  // namespace berth::controllers
