// What the tree says of the order when a node comes or goes is what happens to it, for values of
// all widths.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

struct Random {
  std::mt19937 of;
  uint32_t operator()() { return static_cast<uint32_t>(of()); }
};

// Values by row that move with a tree's order.
class Moved {
 public:
  explicit Moved(uint32_t zones, uint32_t seed) : zones_(zones), random_{std::mt19937(seed)} {}

  void add(NodeTree::NodeId node) {
    RowShift shift;
    const auto before = tree_.order();
    zone_of_.resize(std::max<size_t>(zone_of_.size(), node + 1));
    // Some zones have more nodes than others.
    zone_of_[node] = zone(std::min(random_() % zones_, random_() % zones_));
    const bool last = tree_.add(node, zone_of_[node], &shift);
    EXPECT_EQ(last, shift.at == before.size());
    make_room(before.size() + 1);
    apply(shift);
    set(shift.at, node);
    compare(before, shift);
  }

  void remove(NodeTree::NodeId node) {
    RowShift shift;
    const auto before = tree_.order();
    tree_.remove(node, zone_of_[node], &shift);
    EXPECT_EQ(before[shift.at], node);
    apply(shift);
    compare(before, shift);
  }

 private:
  static std::string zone(uint32_t number) { return "zone-" + std::to_string(number); }

  void make_room(size_t rows) {
    words_.resize(rows);
    numbers_.resize(rows);
    halves_.resize(rows);
    bytes_.resize(rows);
    bits_.resize(rows / 64 + 1);
  }
  void set(Row row, uint32_t node) {
    words_[row] = uint64_t{node} << 32;
    numbers_[row] = node;
    halves_[row] = static_cast<int16_t>(-static_cast<int>(node % 500));
    bytes_[row] = static_cast<uint8_t>(node % 3);
    bits_[row / 64] |= uint64_t{node % 3 == 0} << row % 64;
  }
  void apply(const RowShift& shift) {
    clear(differ_, shift.rows + 1);
    BlockBits differ = differ_;
    model::apply(shift, words_.data(), differ_);
    model::apply(shift, numbers_.data(), differ);
    EXPECT_EQ(differ, differ_);
    model::apply(shift, halves_.data(), differ);
    model::apply(shift, bytes_.data(), differ);
    EXPECT_EQ(differ, differ_);  // what differs in less differs in numbers
    apply_to_bits(shift, bits_.data());
  }
  // Compares values with the tree's order, and what is said of rows with what happened.
  void compare(const std::vector<NodeTree::NodeId>& before, const RowShift& shift) const {
    const auto order = tree_.order();
    for (Row row = 0; row < order.size(); ++row) {
      ASSERT_EQ(numbers_[row], order[row]) << row;
      ASSERT_EQ(words_[row], uint64_t{order[row]} << 32);
      ASSERT_EQ(halves_[row], -static_cast<int>(order[row] % 500));
      ASSERT_EQ(bytes_[row], order[row] % 3);
      ASSERT_EQ(bits_[row / 64] >> row % 64 & 1, uint64_t{order[row] % 3 == 0}) << row;
      const bool is_new = shift.comes && row == shift.at;
      const bool marked = (differ_[row / 4096] >> row / 64 % 64 & 1) != 0;
      const bool differs = row < before.size() && before[row] != order[row];
      ASSERT_TRUE(marked || is_new || !differs) << row;
    }
    for (size_t row = order.size(); row / 64 < bits_.size(); ++row)
      ASSERT_EQ(bits_[row / 64] >> row % 64 & 1, 0u);
    for (Row row = 0; row < before.size(); ++row) {
      const Row now = shift.moved(row);
      if (!shift.comes && row == shift.at) {
        ASSERT_EQ(now, kNoRow);
      } else {
        ASSERT_LT(now, order.size());
        ASSERT_EQ(order[now], before[row]);
      }
    }
  }

  uint32_t zones_;
  Random random_;
  NodeTree tree_;
  std::vector<std::string> zone_of_;
  std::vector<uint64_t> words_, bits_;
  std::vector<uint32_t> numbers_;
  std::vector<int16_t> halves_;
  std::vector<uint8_t> bytes_;
  BlockBits differ_;
};

class RowShifts : public testing::TestWithParam<uint32_t> {};

TEST_P(RowShifts, AreWhatHappensToTheOrder) {
  constexpr uint32_t kNodes = 700;
  Random random{std::mt19937(GetParam())};
  Moved moved(GetParam(), 7);
  std::vector<bool> there(kNodes);
  for (uint32_t i = 0; i < kNodes; ++i) {
    there[i] = i % 4 != 3;
    if (there[i]) moved.add(i);
  }
  for (uint32_t turn = 0; turn < 400 && !HasFatalFailure(); ++turn) {
    const uint32_t node = random() % kNodes;
    there[node] ? moved.remove(node) : moved.add(node);
    there[node] = !there[node];
  }
  for (uint32_t i = 0; i < kNodes && !HasFatalFailure(); ++i)
    if (there[i]) moved.remove(i);
}

INSTANTIATE_TEST_SUITE_P(Zones, RowShifts, testing::Values(1, 2, 3, 7, 16, 17, 40, 300));

// Nodes that come and go between two decisions, few or many: rows are in the order of a table that
// was made anew from what happened, and columns hold what the nodes say.
TEST(NodeOrder, IsTheTreesAfterFewChangesAndAfterMany) {
  Random random{std::mt19937(3)};
  Cluster cluster;
  for (const char* column : {"node.name", "node.label:a", "node.images", "node.row"})
    cluster.find_column(column);
  NodeTree tree;
  std::map<std::string, uint32_t> zones;
  const auto zone_key_of = [](uint32_t zone) {
    return zone_key({{"topology.kubernetes.io/zone", std::to_string(zone)}});
  };
  for (uint32_t turn = 0; turn < 300; ++turn) {
    const uint32_t events = turn % 10 == 0 ? 40 : turn % 5;
    for (uint32_t event = 0; event < events; ++event) {
      const uint32_t number = random() % 250;
      const std::string name = "n" + std::to_string(number);
      const auto known = zones.find(name);
      if (known != zones.end()) {
        tree.remove(number, zone_key_of(known->second));
        cluster.remove_node(name);
        zones.erase(known);
        // Back at once: an old node to a table in which nothing else happens.
        if (random() % 4 != 0) continue;
      }
      const uint32_t zone = zones[name] = random() % 5;
      tree.add(number, zone_key_of(zone));
      Node node;
      node.name = name;
      node.labels = {{"topology.kubernetes.io/zone", std::to_string(zone)}, {"a", name}};
      for (uint32_t i = 0; i < number % 3; ++i)
        node.images.push_back({{"image-" + std::to_string(random() % 5)}, 1 << 20});
      cluster.put_node(node);
    }
    // A node that is new for sure, so that the order is made anew.
    const uint32_t fresh = 1000 + turn;
    Node node;
    node.name = "n" + std::to_string(fresh);
    node.labels = {{"topology.kubernetes.io/zone", "0"}};
    tree.add(fresh, zone_key_of(0));
    cluster.put_node(node);
    cluster.order_rows();
    const auto order = tree.order();
    ASSERT_EQ(cluster.nodes().rows(), order.size());
    const auto id = [&](const char* column) { return cluster.find_column(column); };
    for (Row row = 0; row < order.size(); ++row) {
      const std::string name = "n" + std::to_string(order[row]);
      ASSERT_EQ(cluster.node_name(row), name) << turn;
      const Slot slot = cluster.nodes().slot_of(row);
      ASSERT_EQ(cluster.nodes().row_of(slot), row);
      ASSERT_EQ(cluster.text(cluster.column(id("node.name")).values<uint32_t>()[row]), name);
      ASSERT_EQ(cluster.column(id("node.row")).values<uint32_t>()[row], row);
      const uint32_t label = cluster.column(id("node.label:a")).values<uint32_t>()[row];
      ASSERT_EQ(label != 0, order[row] < 1000);
      ASSERT_EQ(cluster.text(label), label != 0 ? name : "");
      const auto images = cluster.column(id("node.images")).list_at<uint32_t>(row);
      ASSERT_TRUE(std::ranges::equal(images, cluster.nodes().node(slot).images));
    }
  }
}

}  // namespace
}  // namespace berth::model
