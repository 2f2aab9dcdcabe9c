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

TEST_F(NodePortsTest, DecidesByHostPorts) {
  EXPECT_EQ(host_.run.signing, (FakeRun::Signing{BERTH_PART_HOST_PORTS, 0}));
}

TEST_F(NodePortsTest, WithoutPreFilterEveryNodeIsAnError) {
  EXPECT_EQ(filter({{}}, {{}}, 0), (std::vector<Verdict>{{BERTH_ERROR, {}}}));
  EXPECT_EQ(plugin_.error(), "reading \"PreFilterNodePorts\" from cycleState: not found");
}

TEST_F(NodePortsTest, NumbersNameThePortsInUse) {
  const uint64_t http = port("0.0.0.0", "TCP", 80), local = port("10.0.0.1", "TCP", 80);
  const uint64_t other = port("0.0.0.0", "UDP", 9);
  const auto numbers =
      plugin_.filter_numbers({{"pod.ports", Ports{{http, other}}},
                              {"node.ports", Ports{{local, port("::", "TCP", 9)}, {}}}});
  EXPECT_EQ(numbers[0],
            std::vector{"0.0.0.0:TCP:80: in use 10.0.0.1:TCP:80, pods pods of node.ports " +
                        std::to_string(local)});
  EXPECT_TRUE(numbers[1].empty());
}

class NodePortsHintsTest : public NodePortsTest {
 protected:
  // The hint for a pod with the first ports after a pod with the others went.
  bool hint(const std::vector<uint64_t>& wanted, const std::vector<uint64_t>& freed,
            uint32_t node = 1, uint32_t nominated_node = 0) {
    HintEvent event;
    event.kind = BERTH_ON_POD_ASSIGNED;
    event.action = BERTH_DID_DELETE;
    event.before = Columns{{"pod.ports", Ports{freed}}};
    event.node = node;
    event.nominated_node = nominated_node;
    return plugin_.hint({{"pod.ports", Ports{wanted}}}, event);
  }
};

TEST_F(NodePortsHintsTest, APortIsFreed) {
  const uint64_t http = port("0.0.0.0", "TCP", 80);
  const uint64_t https = port("0.0.0.0", "TCP", 443);
  const uint64_t local = port("127.0.0.1", "TCP", 80);
  EXPECT_TRUE(hint({http}, {http}));
  EXPECT_TRUE(hint({http, https}, {https}));
  EXPECT_TRUE(hint({local}, {http}));
  EXPECT_TRUE(hint({http}, {local}));
  EXPECT_FALSE(hint({http}, {https}));
  EXPECT_FALSE(hint({port("127.0.0.2", "TCP", 80)}, {local}));
  EXPECT_FALSE(hint({http}, {port("0.0.0.0", "UDP", 80)}));
  EXPECT_FALSE(hint({http}, {}));
}

TEST_F(NodePortsHintsTest, ByAPodThatHadANodeOrWasNominated) {
  const uint64_t http = port("0.0.0.0", "TCP", 80);
  EXPECT_FALSE(hint({http}, {http}, 0));
  EXPECT_TRUE(hint({http}, {http}, 0, 5));
}

TEST_F(NodePortsHintsTest, EveryNewNode) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED), BERTH_DID_DELETE);
  HintEvent event;
  event.kind = BERTH_ON_NODE;
  event.action = BERTH_DID_ADD;
  event.after.emplace();
  EXPECT_TRUE(plugin_.hint({{"pod.ports", Ports{{port("0.0.0.0", "TCP", 80)}}}}, event));
}

}  // namespace
}  // namespace berth::plugins::testing
