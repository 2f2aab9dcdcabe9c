#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Ports = std::vector<std::vector<uint64_t>>;
const Verdict kFits{};
const Verdict kTaken{BERTH_UNSCHEDULABLE,
                     {"node(s) didn't have free ports for the requested pod ports"}};

class NodePortsTest : public ::testing::Test {
 protected:
  uint64_t port(std::string_view address, std::string_view protocol, uint64_t number) {
    return uint64_t{host_.id(address)} << 32 | uint64_t{host_.id(protocol) & 0xffff} << 16 | number;
  }
  std::vector<Verdict> filter(const Ports& wanted, const Ports& used,
                              uint32_t ran = BERTH_RAN_PRE_FILTER) {
    return plugin_.filter({{"pod.ports", wanted}, {"node.ports", used}}, ran);
  }
  bool conflict(uint64_t wanted, uint64_t used) {
    return filter({{wanted}}, {{used}})[0] == kTaken;
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(NodePortsTest, APortGoesToOnePod) {
  const uint64_t http = port("0.0.0.0", "TCP", 80);
  const uint64_t https = port("0.0.0.0", "TCP", 443);
  const uint64_t other = port("0.0.0.0", "TCP", 8080);
  EXPECT_EQ(filter({{http, https}}, {{}, {other}, {other, https}, {http}}),
            (std::vector{kFits, kFits, kTaken, kTaken}));
}

TEST_F(NodePortsTest, ProtocolsAndPortsAreApart) {
  const uint64_t tcp = port("0.0.0.0", "TCP", 53);
  EXPECT_TRUE(conflict(tcp, tcp));
  EXPECT_FALSE(conflict(tcp, port("0.0.0.0", "UDP", 53)));
  EXPECT_FALSE(conflict(tcp, port("0.0.0.0", "TCP", 54)));
}

TEST_F(NodePortsTest, TheAddressOfAllAddresses) {
  const uint64_t any = port("0.0.0.0", "TCP", 80);
  const uint64_t one = port("10.0.0.1", "TCP", 80);
  const uint64_t two = port("10.0.0.2", "TCP", 80);
  EXPECT_TRUE(conflict(any, one));
  EXPECT_TRUE(conflict(one, any));
  EXPECT_TRUE(conflict(one, one));
  EXPECT_FALSE(conflict(one, two));
}

TEST_F(NodePortsTest, PreFilterSkipsPodsWithoutPorts) {
  EXPECT_EQ(plugin_.pre_filter({{"pod.ports", Ports{{}}}}).code, BERTH_SKIP);
  EXPECT_EQ(plugin_.pre_filter({{"pod.ports", Ports{{port("0.0.0.0", "TCP", 1)}}}}).code,
            BERTH_SUCCESS);
}

TEST_F(NodePortsTest, WithoutPreFilterEveryNodeIsAnError) {
  EXPECT_EQ(filter({{}}, {{}}, 0), (std::vector<Verdict>{{BERTH_ERROR, {}}}));
  EXPECT_EQ(plugin_.error(), "reading \"PreFilterNodePorts\" from cycleState: not found");
}

}  // namespace
}  // namespace berth::plugins::testing
