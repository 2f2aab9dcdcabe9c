// The columns of a cluster do not depend on its history: they equal those of a cluster that is
// built at once.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "tests/properties/random_world.h"

namespace berth::tests {
namespace {

using model::Cluster;

const std::vector<std::string>& column_ids() {
  static const std::vector<std::string> ids = {"node.name",
                                               "node.unschedulable",
                                               "node.label:disk",
                                               "node.label:topology.kubernetes.io/zone",
                                               "node.taints",
                                               "node.allocatable:cpu",
                                               "node.allocatable:pods",
                                               "node.allocatable:example.com/gpu",
                                               "node.requested:cpu",
                                               "node.requested:memory",
                                               "node.requested:ephemeral-storage",
                                               "node.requested:example.com/gpu",
                                               "node.nonzero_requested:cpu",
                                               "node.nonzero_requested:memory",
                                               "node.pods",
                                               "node.ports",
                                               "node.lowest_priority",
                                               "node.images",
                                               "node.image_sizes"};
  return ids;
}

template <typename T>
std::vector<T> values(const berth_column& column, model::Row row) {
  const T* data = static_cast<const T*>(column.data);
  if (column.starts == nullptr) return {data[row]};
  return {data + column.starts[row], data + column.starts[row] + column.sizes[row]};
}

template <typename T>
std::string listed(const std::vector<T>& numbers) {
  std::string text;
  for (T number : numbers) text += std::to_string(number) + " ";
  return text;
}

// Renders a row's values as text. Codes and ids differ between clusters; the values that they stand
// for do not.
class Words {
 public:
  // `images` maps codes to names.
  Words(Cluster& cluster, const std::map<uint32_t, std::string>& images)
      : cluster_(cluster), images_(images) {}

  std::string operator()(const std::string& id, model::Row row) {
    berth_column column = cluster_.view(cluster_.find_column(id));
    if (id == "node.taints") return taints(values<uint32_t>(column, row)[0]);
    if (id == "node.images") {
      std::string text;
      for (uint32_t code : values<uint32_t>(column, row)) text += images_.at(code) + " ";
      return text;
    }
    if (id == "node.ports") return ports(values<uint64_t>(column, row));
    if (column.type == BERTH_U8) return listed(values<uint8_t>(column, row));
    if (column.type == BERTH_I64) return listed(values<int64_t>(column, row));
    uint32_t text = values<uint32_t>(column, row)[0];
    return text == 0 ? "(absent)" : "'" + std::string(cluster_.text(text)) + "'";
  }

 private:
  std::string taints(uint32_t code) {
    std::string text;
    for (const char* part : {"keys", "values", "effects"}) {
      berth_column column = cluster_.view(cluster_.find_column("taint_set." + std::string(part)));
      for (uint32_t id : values<uint32_t>(column, code))
        text += std::string(cluster_.text(id)) + ",";
      text += ";";
    }
    return text;
  }
  // Sorted, because ports are a set.
  std::string ports(const std::vector<uint64_t>& packed) {
    std::vector<std::string> all;
    for (uint64_t port : packed)
      all.push_back(std::string(cluster_.text(static_cast<uint32_t>(port >> 32))) + "/" +
                    std::to_string(port & 0xffffffff));
    std::sort(all.begin(), all.end());
    std::string text;
    for (const std::string& one : all) text += one + " ";
    return text;
  }

  Cluster& cluster_;
  const std::map<uint32_t, std::string>& images_;
};

// A cluster, and the expected content as plain objects.
class Shadowed {
 public:
  Shadowed() {
    // Gives the images of pods and nodes their codes, by name.
    for (const char* image : {"nginx", "nginx:1.27", "registry:5000/app", "busybox:latest",
                              "quay.io/tool@sha256:abc", "model:v2"})
      for (const char* tag : {"", ":latest"}) learn(std::string(image) + tag);
  }

  void put(const model::Node& node) {
    cluster_.put_node(node);
    nodes_[node.name] = node;
  }
  void remove(const std::string& name) {
    RC_ASSERT(cluster_.remove_node(name) == (nodes_.erase(name) != 0));
  }
  void place(const model::Pod& pod) {
    const bool fresh = placed_.emplace(pod.name, pod).second;
    RC_ASSERT(!cluster_.find_pod("default", pod.name) == fresh);
    if (fresh) cluster_.place(cluster_.add_pod(pod), pod.spec.node_name);
  }
  void remove_pod(const std::string& name) {
    const model::PodId pod = cluster_.find_pod("default", name);
    RC_ASSERT(static_cast<bool>(pod) == (placed_.erase(name) != 0));
    if (pod) cluster_.remove_pod(pod);
  }
  void decide() { cluster_.order_rows(); }
  void look() {
    for (const std::string& id : column_ids()) cluster_.find_column(id);
  }
  size_t placed() const { return placed_.size(); }

  // A new cluster with the same nodes and pods and no other history.
  std::unique_ptr<Shadowed> rebuilt() const {
    auto fresh = std::make_unique<Shadowed>();
    for (const auto& [name, node] : nodes_) fresh->put(node);
    for (const auto& [name, pod] : placed_) fresh->place(pod);
    fresh->decide();
    fresh->look();
    return fresh;
  }

  std::map<std::string, std::string> words() {
    Words words(cluster_, images_);
    std::map<std::string, std::string> all;
    for (model::Row row = 0; row < cluster_.nodes().rows(); ++row)
      for (const std::string& id : column_ids())
        all[std::string(cluster_.node_name(row)) + " " + id] = words(id, row);
    berth_column nodes = cluster_.view(cluster_.find_column("image.nodes"));
    for (const auto& [code, name] : images_)
      all["image " + name] = code < nodes.count ? listed(values<int64_t>(nodes, code)) : "0 ";
    all["nodes"] = listed(values<int64_t>(cluster_.view(cluster_.find_column("cluster.nodes")), 0));
    return all;
  }

 private:
  void learn(const std::string& name) {
    // Image names of pods always have a tag, those of nodes may lack it, so look the code up
    // through a node.
    model::Node node;
    node.name = "teacher";
    node.images = {{{name}, 1}};
    cluster_.put_node(node);
    const auto& taught =
        cluster_.nodes().node(cluster_.nodes().find(cluster_.strings().find("teacher")));
    images_[taught.images[0]] = name;
    cluster_.remove_node("teacher");
  }

  Cluster cluster_;
  std::map<uint32_t, std::string> images_;
  std::map<std::string, model::Node> nodes_;
  std::map<std::string, model::Pod> placed_;
};

void expect_equal(const std::map<std::string, std::string>& a,
                  const std::map<std::string, std::string>& b) {
  RC_ASSERT(a.size() == b.size());
  for (const auto& [what, value] : a) {
    auto other = b.find(what);
    if (other == b.end()) RC_FAIL(what + " is missing");
    if (other->second != value) RC_FAIL(what + ": " + value + "and " + other->second);
  }
}

model::Pod random_placed(Dice& dice, uint32_t number, uint32_t nodes) {
  model::Pod pod = random_pod(dice, "pod-" + std::to_string(number), nodes);
  pod.namespace_name = "default";
  pod.spec.node_name = "node-" + std::to_string(dice.number(0, nodes));
  // Every port is used once, because removing one of two pods with the same port frees it.
  int32_t port = static_cast<int32_t>(1000 + number * 8);
  for (auto* containers : {&pod.spec.init_containers, &pod.spec.containers})
    for (model::Container& container : *containers)
      for (model::ContainerPort& one : container.ports)
        if (one.host_port != 0) one.host_port = port++;
  return pod;
}

RC_GTEST_PROP(Model, HistoryDoesNotShow, ()) {
  Dice dice(*rc::gen::noShrink(rc::gen::arbitrary<uint64_t>()));
  auto steps = *rc::gen::inRange(1, 120);
  auto nodes = *rc::gen::inRange<uint32_t>(1, 12);
  auto looks = *rc::gen::inRange(0, 120);  // step at which columns are created
  Shadowed cluster;
  uint32_t pods = 0;
  for (int i = 0; i < steps; ++i) {
    if (i == looks) cluster.look();
    switch (dice.number(0, 9)) {
      case 0:
      case 1:
      case 2:
        cluster.put(random_node(dice, static_cast<uint32_t>(dice.number(0, nodes))));
        break;
      case 3:
        cluster.remove("node-" + std::to_string(dice.number(0, nodes)));
        break;
      case 4:
      case 5:
        cluster.remove_pod("pod-" + std::to_string(dice.number(0, pods)));
        break;
      case 6:
        cluster.decide();
        break;
      default:
        cluster.place(random_placed(dice, pods++, nodes));
    }
  }
  cluster.decide();
  cluster.look();
  expect_equal(cluster.rebuilt()->words(), cluster.words());
}

// After adding and removing pods, all sums are as before.
RC_GTEST_PROP(Model, PodsThatGoRestoreAllSums, ()) {
  Dice dice(*rc::gen::noShrink(rc::gen::arbitrary<uint64_t>()));
  auto nodes = *rc::gen::inRange<uint32_t>(1, 8);
  auto pods = *rc::gen::inRange<uint32_t>(0, 60);
  Shadowed cluster;
  for (uint32_t i = 0; i < nodes; ++i) cluster.put(random_node(dice, i));
  cluster.decide();
  if (dice.chance(50)) cluster.look();
  std::map<std::string, std::string> before = cluster.words();
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < pods; ++i) {
    cluster.place(random_placed(dice, i, nodes));
    order.push_back(i);
  }
  dice.shuffle(order);
  for (uint32_t i : order) cluster.remove_pod("pod-" + std::to_string(i));
  RC_ASSERT(cluster.placed() == 0u);
  expect_equal(before, cluster.words());
}

}  // namespace
}  // namespace berth::tests
