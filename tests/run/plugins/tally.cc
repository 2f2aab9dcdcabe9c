// Prefers nodes on which it reserved few pods, which it counts by itself. The number is not among
// the inputs that its score declares, so an answer that is kept goes stale. What it declares is
// chosen when it is built (BERTH_TALLY_DECLARES):
//   0  nothing that changes with the number: wrong
//   1  node.pods, which changes whenever the number does
//   2  that its answers follow something external

#include <algorithm>
#include <map>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

// Reserved pods, by the node's name.
class Tally {
 public:
  void add(uint32_t node, int64_t pods) { of_[node] += pods; }
  int64_t of(uint32_t node) const {
    const auto at = of_.find(node);
    return at == of_.end() ? 0 : at->second;
  }

 private:
  std::map<uint32_t, int64_t> of_;
};

class TallyReserve final : public sdk::Reserve {
 public:
  explicit TallyReserve(Tally& tally) : tally_(tally) {}
  void reserve(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (call.wanted(i)) tally_.add(call[node_][i], 1);
    }
  }
  void unreserve(const Call& call) const noexcept override {
    for (size_t i = 0; i < call[node_].size(); ++i)
      if (call.wanted(i)) tally_.add(call[node_][i], -1);
  }

 private:
  Tally& tally_;
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

class TallyScore final : public sdk::Score<> {
 public:
  explicit TallyScore(const Tally& tally) : Score(BERTH_NORMALISE_NONE), tally_(tally) {
    if (BERTH_TALLY_DECLARES == 2) depends(BERTH_DEPENDS_EXTERNAL);
  }
  void score(const Call& call, std::span<int64_t> raw) const override {
    const auto names = call[node_];
    for (size_t i = 0; i < raw.size(); ++i)
      raw[i] = std::max<int64_t>(0, 100 - tally_.of(names[i]));
  }

 private:
  const Tally& tally_;
  sdk::Input<uint32_t> node_{*this, "node.name"};
#if BERTH_TALLY_DECLARES == 1
  sdk::Input<int64_t> pods_{*this, "node.pods"};
#endif
};

class TallyPlugin final : public sdk::Plugin {
 public:
  TallyPlugin() { add(reserve_, score_); }

 private:
  Tally tally_;
  TallyReserve reserve_{tally_};
  TallyScore score_{tally_};
};

}  // namespace
}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::TallyPlugin, "io.berth.test.tally", "Tally",
                 BERTH_RESERVE " " BERTH_SCORE);
