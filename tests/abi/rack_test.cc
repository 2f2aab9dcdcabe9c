#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

const Verdict kFits{};
const Verdict kOther{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {"node(s) were in another rack"}};

TEST(RackExample, KeepsPodsInTheirRack) {
  FakeHost host;
  Harness plugin(host);
  const auto filter = [&](uint32_t rack) {
    return plugin.filter(
        {{"pod.label:example.com/rack", std::vector<uint32_t>{rack}},
         {"node.label:example.com/rack", std::vector<uint32_t>{host.id("r1"), host.id("r2"), 0}}},
        0);
  };
  EXPECT_EQ(filter(host.id("r2")), (std::vector{kOther, kFits, kOther}));
  EXPECT_EQ(filter(0), (std::vector{kFits, kFits, kFits}));
}

// abi/README.md shows the source of the example; both must be equal.
TEST(RackExample, StandsInTheReadme) {
  const auto read = [](const char* path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  const std::string source = read(BERTH_SOURCE_DIR "/abi/examples/rack_filter.cc");
  ASSERT_FALSE(source.empty());
  EXPECT_NE(read(BERTH_SOURCE_DIR "/abi/README.md").find("```cpp\n" + source + "```\n"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::plugins::testing
