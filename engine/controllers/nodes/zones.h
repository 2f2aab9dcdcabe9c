#pragma once

// Zones of nodes, and how fast nodes that are not ready get NoExecute taints in each.
//
//   no node ready                               FullDisruption     0.1 nodes per second
//   3 or more not ready, and at least 55 %      PartialDisruption  0.01 above 50 nodes, else none
//   otherwise                                   Normal             0.1
//
// If all zones are fully disrupted, it is rather the controller that is cut off: no node is tainted
// until one is ready.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/controllers/nodes/taint_queue.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

// "REGION/ZONE" by the node's labels; empty if it has neither.
std::string zone_of(const model::StringMap& labels);

enum class ZoneState { kInitial, kNormal, kPartialDisruption, kFullDisruption };
std::string_view zone_state_name(ZoneState state);

class Zones {
 public:
  // A zone has a state from when a node in it is first seen until a look finds no node in it that
  // counts. Each time it gets one, its queue is new.
  void see(const std::string& zone);

  // Counts a node that is ready or not, or no longer counts it.
  void count(const std::string& zone, bool ready) { ++tally(zone, ready); }
  void uncount(const std::string& zone, bool ready);

  enum class Turn {
    kNone,
    kStop,    // All zones are fully disrupted, and were not before.
    kResume,  // One zone is no longer, and all were before.
  };
  // Sets states and rates by the counts. At the end of each look.
  Turn judge(Time now);

  // Requires that see() was called with the zone.
  TaintQueue& queue(const std::string& zone);
  // See TaintQueue::next() and run(). Zones by name.
  std::optional<Time> next() const;
  void run(Time now, const std::function<bool(const std::string&)>& taint);

  // Calls `visit(name, state)` with each zone that has a state, by name.
  template <typename Visit>
  void states(Visit visit) const {
    for (const auto& [name, zone] : zones_)
      if (zone.state) visit(name, *zone.state);
  }

 private:
  struct Zone {
    size_t ready = 0, not_ready = 0;
    std::optional<ZoneState> state;
    std::optional<TaintQueue> queue;

    bool counts() const { return ready + not_ready != 0; }
  };
  static ZoneState state_of(const Zone& zone);
  static float rate_of(const Zone& zone);
  static void enter(Time now, Zone& zone, ZoneState state);
  size_t& tally(const std::string& zone, bool ready);

  std::map<std::string, Zone> zones_;
};

}  // namespace berth::controllers
