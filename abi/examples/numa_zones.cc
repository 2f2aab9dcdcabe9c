// Zones of nodes, which pods share out among themselves: a pod with the label example.com/zoned
// runs in one zone of its node, whose processors are its own.
//
// The annotation example.com/zones of a node has the processors of its zones: "8,8". A pod takes
// its request for cpu, rounded up to whole processors, from the zone in which the fewest are left
// over. Nothing of this is in the cluster's objects, so the plugin keeps a ledger: Reserve takes
// processors, and Unreserve gives them back; Observe says which pods run and when they leave.
//
// Zones of pods that run when the run begins are chosen as if they came one after the other.

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

// The zones that pods hold. Filter reads them in several threads while nobody writes to them.
class Ledger {
 public:
  using Processors = std::vector<int64_t>;  // by zone

  // The zone that takes so many processors and has the fewest left then; nothing: none has them.
  std::optional<size_t> fitting(std::string_view node, const Processors& zones,
                                int64_t wanted) const {
    const auto taken = taken_.find(std::string(node));
    std::optional<size_t> best;
    int64_t least = 0;
    for (size_t zone = 0; zone < zones.size(); ++zone) {
      const bool used = taken != taken_.end() && zone < taken->second.size();
      const int64_t left = zones[zone] - (used ? taken->second[zone] : 0) - wanted;
      if (left < 0 || (best && left >= least)) continue;
      best = zone;
      least = left;
    }
    return best;
  }
  void take(uint64_t pod, std::string_view node, size_t zone, int64_t wanted) {
    Processors& taken = taken_[std::string(node)];
    if (taken.size() <= zone) taken.resize(zone + 1);
    taken[zone] += wanted;
    holders_[pod] = {std::string(node), zone, wanted};
  }
  bool holds(uint64_t pod) const { return holders_.contains(pod); }
  void give_back(uint64_t pod) {
    const auto held = holders_.find(pod);
    if (held == holders_.end()) return;
    const auto& [node, zone, wanted] = held->second;
    taken_[node][zone] -= wanted;
    holders_.erase(held);
  }

 private:
  struct Held {
    std::string node;
    size_t zone;
    int64_t wanted;
  };

  std::unordered_map<std::string, Processors> taken_;  // by name of the node
  std::unordered_map<uint64_t, Held> holders_;         // by pod.handle
};

// "8,4" has two zones; what is no number has no processors.
inline Ledger::Processors zones_of(std::string_view text) {
  Ledger::Processors zones;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    int64_t processors = 0;
    std::from_chars(one.data(), one.data() + one.size(), processors);
    zones.push_back(processors);
    text.remove_prefix(one.size() == text.size() ? one.size() : one.size() + 1);
  }
  return zones;
}

// The columns that all hooks read. Texts of columns are valid for the call.
template <class Point>
class Zoned : public Point {
 public:
  explicit Zoned(Ledger& of) : ledger(of) {}
  void init(sdk::Host host) override {
    strings = sdk::Strings(host);
    cpu = strings.intern("cpu");
  }

 protected:
  using Call = typename Point::Call;

  bool is_zoned(const Call& call, size_t pod) const { return call[zoned][pod] != 0; }
  int64_t wanted(const Call& call, size_t pod) const {
    const auto names = call[request_names][pod];
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == cpu) return (call[requests][pod][i] + 999) / 1000;
    return 0;
  }
  std::string_view node_name(const Call& call, size_t node) const {
    return strings.text(call[name][node]);
  }
  std::optional<size_t> fitting(const Call& call, size_t node, int64_t processors) const {
    const uint32_t text = call[zones][node];
    if (text == 0) return std::nullopt;
    return ledger.fitting(node_name(call, node), zones_of(strings.text(text)), processors);
  }

  Ledger& ledger;
  sdk::Strings strings;
  uint32_t cpu = 0;
  sdk::Input<uint32_t> zoned{*this, "pod.label:example.com/zoned"};
  sdk::ListInput<uint32_t> request_names{*this, "pod.request_names"};
  sdk::ListInput<int64_t> requests{*this, "pod.requests"};
  sdk::Input<uint32_t> name{*this, "node.name"};
  sdk::Input<uint32_t> zones{*this, "node.annotation:example.com/zones"};
};

// The answer follows the ledger, so the host keeps none.
struct FitsIntoZone : Zoned<sdk::Filter<>> {
  explicit FitsIntoZone(Ledger& of) : Zoned(of) { depends(BERTH_DEPENDS_EXTERNAL); }

  sdk::Reason full{*this, "node(s) had no zone with enough processors"};

  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    const bool any = !is_zoned(call, 0);
    const int64_t processors = any ? 0 : wanted(call, 0);
    for (size_t i = 0; i < verdicts.size(); ++i)
      verdicts[i] = any || fitting(call, i, processors) ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
  }
};

// A pod that leaves, and a node that gets another annotation, may help.
struct ZoneEvents : sdk::Hints<> {
  uint32_t actions(uint32_t kind) const override {
    if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_ANNOTATION;
    return kind == BERTH_ON_POD_ASSIGNED ? BERTH_DID_DELETE : 0;
  }
  bool hint(const Call&, const sdk::Event&) const override { return true; }
};

struct TakeZone : Zoned<sdk::Reserve> {
  using Zoned::Zoned;
  sdk::Input<uint64_t> pod{*this, "pod.handle"};
  sdk::Reason full{*this, "node(s) had no zone with enough processors"};

  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (!is_zoned(call, i)) continue;
      const int64_t processors = wanted(call, i);
      const std::optional<size_t> zone = fitting(call, i, processors);
      codes[i] = zone ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
      reasons[i] = full;
      if (zone) ledger.take(call[pod][i], node_name(call, i), *zone, processors);
    }
  }
  void unreserve(const Call& call) const noexcept override {
    for (const uint64_t handle : call[pod]) ledger.give_back(handle);
  }
};

struct FollowPods : Zoned<sdk::Observe> {
  using Zoned::Zoned;
  sdk::Input<uint64_t> pod{*this, "pod.handle"};

  // Those that were reserved have their zone. The others ran before, or somebody else bound them.
  void bound(const Call& call) const noexcept override {
    for (size_t i = 0; i < call.size(); ++i) {
      if (!is_zoned(call, i) || ledger.holds(call[pod][i])) continue;
      const int64_t processors = wanted(call, i);
      const std::optional<size_t> zone = fitting(call, i, processors);
      if (zone) ledger.take(call[pod][i], node_name(call, i), *zone, processors);
    }
  }
  void left(const Call& call) const noexcept override {
    for (const uint64_t handle : call[pod]) ledger.give_back(handle);
  }
};

class NumaZones : public sdk::Plugin {
 public:
  NumaZones() { add(fits_, events_, take_, follow_); }

 private:
  Ledger ledger_;
  FitsIntoZone fits_{ledger_};
  ZoneEvents events_;
  TakeZone take_{ledger_};
  FollowPods follow_{ledger_};
};

BERTH_SDK_PLUGIN(NumaZones, "com.example.numa-zones", "NumaZones",
                 BERTH_FILTER " " BERTH_HINTS " " BERTH_RESERVE " " BERTH_OBSERVE);
