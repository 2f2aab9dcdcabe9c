// Zones of nodes, which pods share out among themselves: a pod with the label example.com/zoned
// runs in one zone of its node, whose processors are its own.
//
// The annotation example.com/zones of a node has the processors of its zones: "8,8". A pod takes
// its request for cpu, rounded up to whole processors, from the zone in which the fewest are left
// over. Nothing of this is in the cluster's objects, so the plugin keeps a ledger: Reserve takes
// processors, and Unreserve gives them back; Observe says which pods run and when they leave.
//
// Zones of pods that run when the run begins are chosen as if they came one after the other.
//
// The ledger of a node changes only together with the node's pods. So the filter declares
// node.pods: its answers are kept until they change. Preemption and nominated pods try what is not
// so: the overlay tells the filter which pods a trial removes from the node and adds to it.

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

// A trial removes pods from a node, and adds others.
struct Trial {
  std::vector<uint64_t> removed;                      // handles of pods
  std::vector<std::pair<uint64_t, int64_t>> added{};  // and the processors that they take
};

using Processors = std::vector<int64_t>;  // by zone

// The zone that takes so many processors and has the fewest left then; nothing: none has them.
inline std::optional<size_t> fitting(const Processors& left, int64_t wanted) {
  std::optional<size_t> best;
  for (size_t zone = 0; zone < left.size(); ++zone)
    if (left[zone] >= wanted && (!best || left[zone] < left[*best])) best = zone;
  return best;
}

// The zones that pods hold. Filter reads them in several threads while nobody writes to them.
class Ledger {
 public:
  // The processors that are left of those of a node, as the trial has it.
  Processors left(uint32_t node, Processors zones, const Trial& trial = {}) const {
    if (const auto taken = taken_.find(node); taken != taken_.end())
      for (size_t zone = 0; zone < std::min(zones.size(), taken->second.size()); ++zone)
        zones[zone] -= taken->second[zone];
    for (const uint64_t pod : trial.removed)
      if (const auto held = holders_.find(pod);
          held != holders_.end() && held->second.zone < zones.size())
        zones[held->second.zone] += held->second.wanted;
    for (const auto& [pod, wanted] : trial.added)
      if (const std::optional<size_t> zone = fitting(zones, wanted)) zones[*zone] -= wanted;
    return zones;
  }
  void take(uint64_t pod, uint32_t node, size_t zone, int64_t wanted) {
    Processors& taken = taken_[node];
    if (taken.size() <= zone) taken.resize(zone + 1);
    taken[zone] += wanted;
    holders_[pod] = {node, zone, wanted};
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
    uint32_t node;
    size_t zone;
    int64_t wanted;
  };

  std::unordered_map<uint32_t, Processors> taken_;  // by node.name
  std::unordered_map<uint64_t, Held> holders_;      // by pod.handle
};

// "8,4" has two zones; what is no number has no processors.
inline Processors zones_of(std::string_view text) {
  Processors zones;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    int64_t processors = 0;
    std::from_chars(one.data(), one.data() + one.size(), processors);
    zones.push_back(processors);
    text.remove_prefix(one.size() == text.size() ? one.size() : one.size() + 1);
  }
  return zones;
}

// The columns of pods that hooks read. Texts of columns are valid for the call.
template <class Point>
class OfPods : public Point {
 public:
  void init(sdk::Host host) override {
    strings = sdk::Strings(host);
    cpu = strings.intern("cpu");
  }

 protected:
  // The processors that the pod takes from one zone; nothing: it has none to itself.
  std::optional<int64_t> wanted(const sdk::Columns& call, size_t pod) const {
    if (call[zoned][pod] == 0) return std::nullopt;
    const auto names = call[request_names][pod];
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == cpu) return (call[requests][pod][i] + 999) / 1000;
    return 0;
  }

  sdk::Strings strings;
  uint32_t cpu = 0;
  sdk::Input<uint32_t> zoned{*this, "pod.label:example.com/zoned"};
  sdk::ListInput<uint32_t> request_names{*this, "pod.request_names"};
  sdk::ListInput<int64_t> requests{*this, "pod.requests"};
};

// The same with those of nodes. Names and annotations are compared as ids: a plugin in a process of
// its own has to ask for each text. What is kept under an id is interned, so that the id stays.
template <class Point>
class Zoned : public OfPods<Point> {
 public:
  explicit Zoned(Ledger& of) : ledger(of) {}

 protected:
  // [cycle] Takes a zone of the node for the pod. False: none has the processors.
  bool take(const sdk::Columns& call, size_t i, uint64_t pod, int64_t processors) const {
    const uint32_t node = call[name][i];
    const auto zone = fitting(ledger.left(node, zones_of(keep(call[zones][i]))), processors);
    if (!zone) return false;
    keep(node);
    ledger.take(pod, node, *zone, processors);
    return true;
  }

  Ledger& ledger;
  sdk::Input<uint32_t> name{*this, "node.name"};
  sdk::Input<uint32_t> zones{*this, "node.annotation:example.com/zones"};

 private:
  std::string_view keep(uint32_t id) const {
    if (id == 0) return {};
    const auto [text, is_new] = texts_.try_emplace(id);
    if (is_new) {
      text->second = this->strings.text(id);
      this->strings.intern(text->second);
    }
    return text->second;
  }

  mutable std::unordered_map<uint32_t, std::string> texts_;
};

// The state of the filter for pods that look alike. The host copies it for each node of a trial.
struct Asked {
  int64_t processors = 0;
  Trial trial;
};

struct FitsIntoZone : Zoned<sdk::Filter<Asked>> {
  using Zoned::Zoned;
  sdk::Input<int64_t> pods{*this, "node.pods"};  // with which the ledger changes
  sdk::Reason full{*this, "node(s) had no zone with enough processors"};

  void prepare(const sdk::Template& pod, sdk::Preparation& preparation, Asked& asked) override {
    const std::optional<int64_t> processors = wanted(pod, 0);
    if (!processors) return preparation.passes();
    asked.processors = *processors;
  }
  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    const auto& [processors, trial] = call.state();
    std::vector<std::string_view> texts(verdicts.size());
    strings.texts(call[zones], texts);  // one question for all nodes
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const Processors left = ledger.left(call[name][i], zones_of(texts[i]), trial);
      verdicts[i] = fitting(left, processors) ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
    }
  }
};

struct FollowTrials : OfPods<sdk::OverlayState<FitsIntoZone>> {
  sdk::Input<uint64_t> pod{*this, "pod.handle"};

  void add_pod(Asked& asked, const Call& call, uint32_t) const override {
    const uint64_t handle = call.one(pod);
    if (std::erase(asked.trial.removed, handle) != 0) return;
    if (const std::optional<int64_t> processors = wanted(call, 0))
      asked.trial.added.emplace_back(handle, *processors);
  }
  void remove_pod(Asked& asked, const Call& call, uint32_t) const override {
    const uint64_t handle = call.one(pod);
    const auto added = [&](const auto& one) { return one.first == handle; };
    if (std::erase_if(asked.trial.added, added) == 0) asked.trial.removed.push_back(handle);
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
      const std::optional<int64_t> processors = wanted(call, i);
      if (!processors) continue;
      if (take(call, i, call[pod][i], *processors)) continue;
      codes[i] = BERTH_UNSCHEDULABLE;
      reasons[i] = full;
    }
  }
  void unreserve(const Call& call) const override {
    for (const uint64_t handle : call[pod]) ledger.give_back(handle);
  }
};

struct FollowPods : Zoned<sdk::Observe> {
  using Zoned::Zoned;
  sdk::Input<uint64_t> pod{*this, "pod.handle"};

  // Those that were reserved have their zone. The others ran before, or somebody else bound them.
  void bound(const Call& call) const override {
    for (size_t i = 0; i < call.size(); ++i) {
      const std::optional<int64_t> processors = wanted(call, i);
      if (processors && !ledger.holds(call[pod][i])) take(call, i, call[pod][i], *processors);
    }
  }
  void left(const Call& call) const override {
    for (const uint64_t handle : call[pod]) ledger.give_back(handle);
  }
};

class NumaZones : public sdk::Plugin {
 public:
  NumaZones() { add(fits_, trials_, events_, take_, follow_); }

 private:
  Ledger ledger_;
  FitsIntoZone fits_{ledger_};
  FollowTrials trials_;
  ZoneEvents events_;
  TakeZone take_{ledger_};
  FollowPods follow_{ledger_};
};

BERTH_SDK_PLUGIN(NumaZones, "com.example.numa-zones", "NumaZones",
                 BERTH_FILTER " " BERTH_OVERLAY_STATE " " BERTH_HINTS " " BERTH_RESERVE
                              " " BERTH_OBSERVE);
