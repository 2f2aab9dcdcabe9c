#pragma once

// The nodes of a workload as they are now. Only deviations are stored: a node is made from its
// number, and those that failed, were drained, stopped or relabelled have a state.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// Numbers of nodes are below count(). One thread.
class CurrentNodes {
 public:
  // `cluster` must outlive this.
  CurrentNodes(const ClusterSpec& cluster, uint64_t seed) : nodes_(cluster, seed) {}

  uint64_t count() const { return nodes_.count(); }
  // The node as it first appears.
  model::Node first(uint64_t number) const { return nodes_.make(number); }
  // See NodeMaker::system().
  std::optional<model::ControllerObject> system(uint64_t number) const {
    return nodes_.system(number);
  }
  // The node with its labels of now, cordoned if it is drained, with the annotations of a kubelet
  // that is stopped and of a drain. Nodes that are down are made too.
  model::Node now(uint64_t number) const;
  // The number of failures of the node so far.
  uint32_t failures(uint64_t number) const;
  // A node of one of these shapes that is as it first was, but for labels and failures; nullopt if
  // a number of draws finds none. `shapes`: indices; empty: all. Requires: count() > 0.
  std::optional<uint64_t> choose(const std::vector<uint32_t>& shapes, uint64_t bits) const;

  // Requires: the node is not down.
  void fail(uint64_t number);
  // Requires: the node is down.
  void repair(uint64_t number);
  bool down(uint64_t number) const;
  // The node's kubelet stops once more, or one of the causes for which it stands still is over.
  // Returns true if it worked before, or works again.
  bool stop(uint64_t number);
  bool go_on(uint64_t number);
  // A drain with these options of kubectl drain begins; ends.
  void begin_drain(uint64_t number, const std::string& options);
  void end_drain(uint64_t number) { states_[number].drain.reset(); }
  bool drains(uint64_t number) const;
  bool has_shape(uint64_t number, const std::vector<uint32_t>& shapes) const;
  uint64_t zone(uint64_t number) const { return nodes_.zone(number); }
  void set_drained(uint64_t number, bool drained) { states_[number].drained = drained; }
  void set_label(uint64_t number, const std::string& key, const std::string& value);

 private:
  // The differences of a node from the one that NodeMaker makes for its number.
  struct State {
    bool down = false;
    bool drained = false;
    uint32_t stops = 0;                // causes for which the kubelet stands still
    std::optional<std::string> drain;  // options of the drain that goes on
    uint32_t failures = 0;
    bool well() const { return !down && !drained && stops == 0 && !drain; }
    model::StringMap labels;  // changes to its original labels
  };

  NodeMaker nodes_;
  boost::unordered_flat_map<uint64_t, State> states_;
};

}  // namespace berth::loadgen
