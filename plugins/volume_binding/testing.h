#pragma once

// A plugin VolumeBinding with objects of storage, for its tests.

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {

using Lists = std::vector<std::vector<uint64_t>>;

// Two nodes: n0 matches selector 1, n1 matches selector 2.
class VolumeBindingTest : public ::testing::Test {
 protected:
  VolumeBindingTest() {
    host_.add_selector();
    host_.add_selector();
    host_.volumes.node_matches = {{1, host_.id("n0")}, {2, host_.id("n1")}};
  }
  uint64_t key(std::string_view name) { return uint64_t{host_.id("team")} << 32 | host_.id(name); }
  berth_claim& claim(std::string_view name, std::string_view storage_class, int64_t storage = 1) {
    berth_claim made{};
    made.namespace_name = host_.id("team");
    made.name = host_.id(name);
    if (!storage_class.empty()) made.storage_class = host_.id(storage_class);
    made.storage = storage;
    made.flags = BERTH_CLAIM_HAS_STORAGE;
    return host_.volumes.claims.emplace_back(made);
  }
  berth_claim& bound(std::string_view name, std::string_view volume) {
    berth_claim& made = claim(name, "");
    made.volume = host_.id(volume);
    made.flags |= BERTH_CLAIM_BIND_COMPLETED;
    return made;
  }
  berth_volume& volume(std::string_view name, uint32_t affinity, int64_t storage = 1,
                       std::string_view storage_class = "local") {
    berth_volume made{};
    made.name = host_.id(name);
    made.flags = BERTH_VOLUME_AVAILABLE;
    made.storage_class = host_.id(storage_class);
    made.storage = storage;
    made.node_affinity = affinity;
    return host_.volumes.volumes.emplace_back(made);
  }
  berth_storage_class& storage_class(std::string_view name, std::string_view provisioner,
                                     bool waits = true) {
    berth_storage_class made{};
    made.name = host_.id(name);
    made.provisioner = host_.id(provisioner);
    made.flags = BERTH_CLASS_HAS_BINDING_MODE | (waits ? BERTH_CLASS_WAITS : 0u);
    return host_.volumes.classes.emplace_back(made);
  }
  // It publishes capacities.
  berth_csi_driver& driver(std::string_view name) {
    berth_csi_driver made{};
    made.name = host_.id(name);
    made.storage_capacity = 1;
    return host_.volumes.csi_drivers.emplace_back(made);
  }
  // `topology`: a selector; 0: every node.
  berth_csi_capacity& capacity(std::string_view storage_class, uint32_t topology, int64_t bytes) {
    berth_csi_capacity made{};
    made.size = sizeof made;
    made.flags = BERTH_CAPACITY_HAS_LIMIT | (topology == 0 ? BERTH_CAPACITY_EVERYWHERE : 0u);
    made.storage_class = host_.id(storage_class);
    made.topology = topology;
    made.limit = made.capacity = bytes;
    return host_.volumes.capacities.emplace_back(made);
  }
  Columns pod(std::vector<uint64_t> claims) {
    const std::vector<uint32_t> owners(claims.size());
    return {{"pod.claims", Lists{std::move(claims)}},
            {"pod.claim_owners", std::vector<std::vector<uint32_t>>{owners}},
            {"pod.claim_owner_names", std::vector<std::vector<uint32_t>>{owners}},
            {"pod.volumes_version", std::vector<int64_t>{1}}};
  }
  // The pod with handle 7 on a node.
  Columns on_node(std::string_view node, std::vector<uint64_t> claims) {
    Columns placement = pod(std::move(claims));
    placement.insert_or_assign("pod.handle", std::vector<uint64_t>{7});
    placement.insert_or_assign("node.name", std::vector<uint32_t>{host_.id(node)});
    return placement;
  }
  // The pod and both nodes.
  Columns nodes(std::vector<uint64_t> claims) {
    Columns columns = pod(std::move(claims));
    columns.insert_or_assign("node.name", host_.ids({"n0", "n1"}));
    columns.insert_or_assign("node.matches:1", std::vector<uint8_t>{1, 0});
    columns.insert_or_assign("node.matches:2", std::vector<uint8_t>{0, 1});
    return columns;
  }
  std::vector<Verdict> filter(std::vector<uint64_t> claims) {
    return plugin_.filter(nodes(std::move(claims)));
  }
  std::string refusal(std::string_view name) {
    const PreFilterAnswer answer = plugin_.pre_filter(pod({key(name)}));
    return answer.reasons.empty() ? "" : answer.reasons[0];
  }

  FakeHost host_;
  Harness plugin_{host_};
};

}  // namespace berth::plugins::testing
