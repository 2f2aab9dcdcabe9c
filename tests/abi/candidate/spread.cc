// A plugin at the extension points that choose a node, with the C++ SDK.
//
//   {"selector": {"matchLabels": {"app": "web"}}, "topologyKey": "zone", "mostPods": 2, "perPod":
//   3}
//
// Nodes take `mostPods` pods at most. Zones with fewer pods of the selector score higher, by
// `perPod` for each. A pod for which there is no room takes the place of pods with lower priority.

#include <algorithm>
#include <optional>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

struct RoomFilter : sdk::Filter<> {
  int64_t most = 0;
  sdk::Input<int64_t> pods{*this, "node.pods"};
  sdk::Input<uint8_t> closed{*this, "node.unschedulable"};
  sdk::Reason full{*this, "node(s) had no room for another pod"};
  sdk::Reason shut{*this, "node(s) were closed"};

  uint8_t verdict(int64_t there, uint8_t is_closed) const {
    if (is_closed != 0) return BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    return there >= most ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  }
  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    for (size_t i = 0; i < verdicts.size(); ++i)
      verdicts[i] = verdict(call[pods][i], call[closed][i]);
  }
  void reasons(const Call& call, std::span<uint32_t> reasons) const override {
    for (size_t i = 0; i < reasons.size(); ++i) reasons[i] = call[closed][i] != 0 ? shut : full;
  }
};

struct ZoneScore : sdk::Score<> {
  int64_t per_pod = 1;
  std::optional<sdk::Input<int64_t>> counts;

  ZoneScore() : Score(BERTH_NORMALISE_OWN) {}
  void score(const Call& call, std::span<int64_t> raw) const override {
    for (size_t i = 0; i < raw.size(); ++i) raw[i] = per_pod * call[*counts][i];
  }
  int64_t normalise(int64_t raw, int64_t, int64_t maximum) const override {
    return std::clamp<int64_t>(10 * (maximum - raw), 0, 100);
  }
};

struct RoomPostFilter : sdk::PostFilter<> {
  sdk::Input<uint32_t> row{*this, "node.row"};
  sdk::Input<uint32_t> name{*this, "node.name"};
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  sdk::Input<uint64_t> handle{*this, "pod.handle"};
  sdk::Reason none{*this, "no pod of lower priority makes room"};

  void init(sdk::Host host) override { what_ifs_ = sdk::WhatIfs(host); }

  void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t,
                   berth_nomination& nomination) const override {
    const int64_t mine = call.one(priority);
    uint32_t best = 0;
    victims_.clear();
    for (size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] != BERTH_UNSCHEDULABLE) continue;
      std::vector<uint64_t> victims = victims_of(call[row][i], mine);
      const bool better = best == 0 || victims.size() < victims_.size() ||
                          (victims.size() == victims_.size() && call[name][i] < best);
      if (victims.empty() || !better) continue;
      best = call[name][i];
      victims_ = std::move(victims);
    }
    nomination.code = best == 0 ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
    nomination.reason = none;
    nomination.node = best;
    nomination.victims = victims_.data();
    nomination.victim_count = victims_.size();
  }

 private:
  // The pods of a row that have to leave, in their order of arrival; empty: it does not help.
  std::vector<uint64_t> victims_of(uint32_t at, int64_t mine) const {
    sdk::WhatIf what_if = what_ifs_.begin(at);
    const sdk::Call<sdk::NoState> pods = what_if.pods();
    std::vector<uint64_t> victims;
    for (size_t i = 0; i < pods.size(); ++i) {
      if (pods[priority][i] >= mine) continue;
      what_if.remove(i);
      victims.push_back(pods[handle][i]);
      if (what_if.filter() == BERTH_SUCCESS) return victims;
    }
    return {};
  }

  sdk::WhatIfs what_ifs_;
  mutable std::vector<uint64_t> victims_;
};

struct RoomHints : sdk::Hints<> {
  uint32_t actions(uint32_t kind) const override {
    if (kind == BERTH_ON_POD_ASSIGNED) return BERTH_DID_DELETE;
    return kind == BERTH_ON_NODE ? BERTH_DID_ADD : 0;
  }
  bool hint(const Call&, const sdk::Event& event) const override {
    return event.on_node() ? event.added() : event.deleted();
  }
};

class Spread : public sdk::Plugin {
 public:
  static constexpr char kVersion[] = "1.0.0";

  Spread() { add(filter_, score_, post_filter_, hints_); }

  static void validate(const sdk::Config& config) {
    config["selector"].accept();
    if (config["topologyKey"].text().empty()) config["topologyKey"].error("must be a label key");
    config["mostPods"].integer(0, 1, 1000);
    config["perPod"].integer(1, 1, 10);
  }
  void init(sdk::Host host, const sdk::Config& config) override {
    const sdk::Counts counts(host);
    const sdk::Config selector = config["selector"];
    const std::string key(config["topologyKey"].text());
    const uint32_t term =
        counts.term(sdk::Selectors(host).label_selector(selector.raw(), selector.node()), {});
    const uint32_t query = counts.query({.key = sdk::Strings(host).intern(key), .terms = {term}});
    filter_.most = config["mostPods"].integer();
    score_.per_pod = config["perPod"].integer(1);
    score_.counts.emplace(score_, sdk::concat("node.count:", query));
  }

 private:
  RoomFilter filter_;
  ZoneScore score_;
  RoomPostFilter post_filter_;
  RoomHints hints_;
};

BERTH_SDK_PLUGIN(Spread, "io.berth.candidate.spread", "CandidateSpread",
                 BERTH_FILTER " " BERTH_SCORE " " BERTH_POST_FILTER " " BERTH_HINTS);
