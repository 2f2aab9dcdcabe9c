#pragma once

// The volumes service of a FakeHost: objects that a test puts there.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "berth/abi/volumes.h"

namespace berth::plugins::testing {

// Objects are found by the names in them. The service finds the object through FakeHost::of.
class FakeVolumes {
 public:
  std::deque<berth_claim> claims;
  std::deque<berth_volume> volumes;
  std::deque<berth_storage_class> classes;
  std::deque<berth_csi_node> csi_nodes;
  std::deque<berth_csi_driver> csi_drivers;
  std::deque<berth_csi_capacity> capacities;
  std::deque<berth_volume_attachment> attachments;
  std::deque<std::array<uint32_t, 2>> labels;            // backs berth_volume.labels
  std::set<std::pair<uint32_t, uint32_t>> node_matches;  // (selector, node)
  std::set<std::pair<uint32_t, uint32_t>> not_selected;  // (claim, volume), by name
  // By name, of whichever pod: claim, node. Reads of claims and volumes do not show them.
  std::map<uint32_t, uint32_t> assumed_volumes, assumed_claims;
  std::map<uint32_t, uint32_t> sent_volumes, sent_claims;
  bool refuses_writes = false;

  static const berth_volumes_service& service();
};

}  // namespace berth::plugins::testing
