#pragma once

// A class of the SDK for each extension point, with simple answers, that throws on demand.

#include <algorithm>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {

// What the hooks below throw next: 0 nothing, 1 a Failure, 2 an object that is not a
// std::exception.
inline int thrown = 0;

inline void maybe_throw() {
  if (thrown == 1) throw sdk::Failure("thrown by a hook");
  if (thrown == 2) throw 42;
}

struct Limit {
  Limit() = default;
  Limit(const Limit& other) : limit(other.limit), cpu(other.cpu) { maybe_throw(); }
  Limit& operator=(const Limit&) = default;

  int64_t limit = 0;
  sdk::Slot<int64_t> cpu;
};

template <class Hook>
void prepare_limit(const Hook& hook, const sdk::Template& pod, sdk::Preparation& prepared,
                   Limit& state) {
  maybe_throw();
  state.limit = pod.one(hook.priority);
  state.cpu = prepared.add<int64_t>("node.allocatable:cpu");
  if (state.limit == 0) prepared.passes();
}

struct MyPreFilter : sdk::PreFilter<Limit> {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  sdk::Reason low{*this, "a low priority"};
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override {
    maybe_throw();
    if (call.one(priority) < 0) result.refuse(BERTH_UNSCHEDULABLE, low);
    if (call.one(priority) == 0) result.skip();
  }
};

struct MyFilter : sdk::Filter<Limit> {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  sdk::Input<int64_t> pods{*this, "node.pods"};
  sdk::Family allocatable{*this, "node.allocatable:*"};
  sdk::Reason small{*this, "a small node"};
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, Limit& state) override {
    prepare_limit(*this, pod, prepared, state);
  }
  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    maybe_throw();
    const auto cpu = call[call.state().cpu];
    for (size_t i = 0; i < call.size(); ++i)
      verdicts[i] = cpu[i] < call.state().limit ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
    if (call.state().limit == 99) (void)call[pods];  // declared, but not kept
  }
  void numbers(const Call& call, sdk::Numbers& numbers) const override {
    maybe_throw();
    numbers.item("cpu")
        .number("free", call[call.state().cpu][0], BERTH_UNIT_MILLI_CPU)
        .text("size", "small")
        .term("selected", 3)
        .pods("in the way", call.state().cpu);
  }
};

struct MyPostFilter : sdk::PostFilter<> {
  void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                   berth_nomination& nomination) const override {
    maybe_throw();
    nomination.code = codes.size() == call.size() && draw == 7 ? BERTH_UNSCHEDULABLE : BERTH_ERROR;
  }
};

struct MyPreScore : sdk::PreScore<> {
  MyPreScore() { depends(BERTH_DEPENDS_FEASIBLE); }
  void pre_score(const Call&, const berth_feasible* feasible,
                 sdk::PreScoreResult& result) const override {
    maybe_throw();
    if (feasible == nullptr || feasible->feasible < feasible->row_count) return result.skip();
    result.changed();
  }
};

struct MyScore : sdk::Score<> {
  MyScore() : Score(BERTH_NORMALISE_OWN) {}
  sdk::Input<int64_t> pods{*this, "node.pods"};
  void score(const Call& call, std::span<int64_t> raw) const override {
    maybe_throw();
    std::copy(call[pods].begin(), call[pods].end(), raw.begin());
  }
  int64_t normalise(int64_t raw, int64_t minimum, int64_t maximum) const override {
    maybe_throw();
    return 100 * (raw - minimum) / (maximum - minimum);
  }
};

struct MyPreEnqueue : sdk::PreEnqueue {
  sdk::Reason never{*this, "never"};
  void check(const Call&, std::span<uint8_t> codes, std::span<uint32_t> reasons) const override {
    maybe_throw();
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_UNSCHEDULABLE});
    std::fill(reasons.begin(), reasons.end(), uint32_t{never});
  }
};

struct MyQueueSort : sdk::QueueSort {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  void keys(const Call& call, std::span<sdk::SortKey> keys) const override {
    maybe_throw();
    for (size_t i = 0; i < keys.size(); ++i) {
      sdk::put_ordered(keys[i], call[priority][i]);
      sdk::put_ordered(keys[i] + 8, 0);
    }
  }
};

struct MyHints : sdk::Hints<> {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  uint32_t actions(uint32_t kind) const override {
    maybe_throw();
    return kind;
  }
  // The priority of the event's pod rises, or the refused pod is this pod.
  bool hint(const Call&, const sdk::Event& event) const override {
    maybe_throw();
    if (event.self() || event.deleted()) return event.self();
    const int64_t before = event.added() ? 0 : event.before().one(priority);
    return event.after().one(priority) > before;
  }
};

struct MyReserve : sdk::Reserve {
  void reserve(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    maybe_throw();
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
  }
  void unreserve(const Call&) const noexcept override { ++unreserved; }
  static inline int unreserved = 0;
};

struct MyPermit : sdk::Permit {
  void permit(const Call&, std::span<uint8_t> codes, std::span<uint32_t>,
              std::span<int64_t> timeouts) const override {
    maybe_throw();
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_WAIT});
    std::fill(timeouts.begin(), timeouts.end(), 5);
  }
};

struct MyPreBind : sdk::PreBind {
  void pre_bind(const Call&, std::span<uint8_t> codes) const override {
    maybe_throw();
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
  }
};

struct MyBind : sdk::Bind {
  void bind(const Call& call, std::span<uint8_t> codes) const override {
    maybe_throw();
    for (size_t i = 0; i < codes.size(); ++i)
      codes[i] = call.wanted(i) ? BERTH_SKIP : BERTH_SUCCESS;
  }
};

struct MyPostBind : sdk::PostBind {
  void post_bind(const Call&) const noexcept override { ++bound; }
  static inline int bound = 0;
};

struct MyOverlay : sdk::OverlayState<MyFilter> {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  void add_pod(Limit& state, const Call& pod, uint32_t row) const override {
    maybe_throw();
    state.limit += row * pod.one(priority);
  }
  void remove_pod(Limit& state, const Call& pod, uint32_t row) const override {
    maybe_throw();
    state.limit -= row * pod.one(priority);
  }
  void restore(Limit& state, const Limit& base) const override {
    maybe_throw();
    OverlayState::restore(state, base);
  }
};

struct MyObserve : sdk::Observe {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  void bound(const Call& call) const noexcept override { told += call[priority][0]; }
  void left(const Call& call) const noexcept override { told -= call[priority][0]; }
  static inline int64_t told = 0;
};

// Hears of all that there is.
struct HearsAll : MyObserve {
  void changed(const Call&) const noexcept override { ++changes; }
  void node_left(std::span<const uint32_t> nodes) const noexcept override { last = nodes.back(); }
  static inline int changes = 0;
  static inline uint32_t last = 0;
};

}  // namespace berth::tests
