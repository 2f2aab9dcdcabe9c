// Decides by memory of its own, which pods change as they arrive, on a thread of its own:
//
//   fickle/prefers: NODE   from now on that node has the score 100, others 0; raises the epoch...
//   fickle/quietly: ""     ...unless the pod has this, too
//   fickle/opens: ""       from now on no pod is refused or gated; wakes pods
//   fickle/waits: ""       Filter refuses the pod until then
//   fickle/gated: ""       PreEnqueue gates the pod until then
//   fickle/crashes: ""     Filter ends the process
//
// In the profile "misspelt" it raises an epoch that its hooks do not read.

#include <atomic>
#include <cstdlib>
#include <thread>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/external.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::tests {
namespace {

struct Memory {
  void open() {
    opened = true;
    waker.wake();
  }

  std::atomic<uint32_t> preferred{0};  // string id of a node's name
  std::atomic<bool> opened{false};
  sdk::Epoch epoch;
  sdk::Waker waker;
};

class FickleGate final : public sdk::PreEnqueue {
 public:
  explicit FickleGate(Memory& memory) : memory_(memory) {}

  void check(const Call& call, std::span<uint8_t> codes,
             std::span<uint32_t> reasons) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      change(call[prefers_][i], call[quietly_][i] != 0, call[opens_][i] != 0);
      const bool gates = call[gated_][i] != 0 && !memory_.opened;
      codes[i] = gates ? BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE : BERTH_SUCCESS;
      reasons[i] = closed_;
    }
  }

 private:
  void change(uint32_t prefers, bool quietly, bool opens) const {
    std::thread([&] {
      if (prefers != 0) memory_.preferred = prefers;
      if (prefers != 0 && !quietly) memory_.epoch.raise();
      if (opens) memory_.open();
    }).join();
  }

  Memory& memory_;
  sdk::Input<uint32_t> prefers_{*this, "pod.label:fickle/prefers"};
  sdk::Input<uint32_t> quietly_{*this, "pod.label:fickle/quietly"};
  sdk::Input<uint32_t> opens_{*this, "pod.label:fickle/opens"};
  sdk::Input<uint32_t> gated_{*this, "pod.label:fickle/gated"};
  sdk::Reason closed_{*this, "it is closed"};
};

class FickleFilter final : public sdk::Filter<> {
 public:
  explicit FickleFilter(const Memory& memory) : memory_(memory) {}

  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    if (call.one(crashes_) != 0) std::abort();
    const bool refuses = call.one(waits_) != 0 && !memory_.opened;
    for (uint8_t& verdict : verdicts) verdict = refuses ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  }

 private:
  const Memory& memory_;
  sdk::Input<uint32_t> waits_{*this, "pod.label:fickle/waits"};
  sdk::Input<uint32_t> crashes_{*this, "pod.label:fickle/crashes"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::Input<int64_t> epoch_{*this, "cluster.epoch:fickle"};
  sdk::Reason closed_{*this, "it is closed"};
};

class FickleScore final : public sdk::Score<> {
 public:
  explicit FickleScore(const Memory& memory) : Score(BERTH_NORMALISE_NONE), memory_(memory) {}

  void score(const Call& call, std::span<int64_t> raw) const override {
    for (size_t i = 0; i < raw.size(); ++i) raw[i] = call[node_][i] == memory_.preferred ? 100 : 0;
  }

 private:
  const Memory& memory_;
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::Input<int64_t> epoch_{*this, "cluster.epoch:fickle"};
};

class Fickle final : public sdk::Plugin {
 public:
  Fickle() { add(gate_, filter_, score_); }
  void init(sdk::Host host, const sdk::Config&) override {
    memory_.epoch = sdk::Epoch(host, host.profile() == "misspelt" ? "fickel" : "fickle");
    memory_.waker = sdk::Waker(host);
    sdk::decides_by(host, BERTH_PART_LABELS);
  }

 private:
  Memory memory_;
  FickleGate gate_{memory_};
  FickleFilter filter_{memory_};
  FickleScore score_{memory_};
};

}  // namespace
}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::Fickle, "io.berth.tests.fickle", "Fickle",
                 BERTH_PRE_ENQUEUE " " BERTH_FILTER " " BERTH_SCORE, "cluster.epoch:fickle",
                 BERTH_EXTERNAL_SERVICE);
