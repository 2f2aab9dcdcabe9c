#pragma once

// The extension points that rank the feasible nodes. Derive from a class, declare inputs, override
// the function. The C contracts are in berth/abi/score.h.

#include <span>

#include "berth/abi/score.h"
#include "berth/sdk/points/prepare.hpp"
#include "berth/sdk/services/numbers.hpp"

namespace berth::sdk {

// State: what prepare() fills in for a template. Leave it out if there is nothing to prepare.
template <class State = NoState>
class Score : public HookOf<Point::kScore, State> {
 public:
  using typename HookOf<Point::kScore, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), normalise_,   this->complete(),  score_hook,
              normalise_hook, numbers_hook, normalise_pod_hook};
    return &table_;
  }

 protected:
  // `normalise`: one of BERTH_NORMALISE_, which turns raw scores into 0..100.
  explicit Score(uint32_t normalise) : normalise_(normalise) {}

  // [rows] Writes one raw score per position.
  virtual void score(const Call& call, std::span<int64_t> raw) const = 0;
  // [rows] Called only with BERTH_NORMALISE_OWN, for scored positions. Override one of the two.
  virtual int64_t normalise(int64_t raw, int64_t minimum, int64_t maximum) const {
    (void)minimum, (void)maximum;
    return raw;
  }
  // The same with the template's state. `call` has no inputs. Hosts before ABI 1.3 do not call it.
  virtual int64_t normalise_with(const Call& call, int64_t raw, int64_t minimum,
                                 int64_t maximum) const {
    (void)call;
    return normalise(raw, minimum, maximum);
  }
  // [rows] Writes the numbers behind the raw score of position 0, for people. Default: none.
  virtual void numbers(const Call&, Numbers&) const {}

 private:
  static const Score& of(berth_plugin* plugin) {
    return static_cast<Score&>(HookOf<Point::kScore, State>::of(plugin));
  }
  static berth_code score_hook(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
    return guarded(call->error, [&] { of(plugin).score(Call(call), {raw, call->count}); });
  }
  static berth_code normalise_hook(berth_plugin* plugin, uint64_t count, const int64_t* raw,
                                   int64_t minimum, int64_t maximum, int64_t* final) {
    return guarded(nullptr, [&] {
      const Score& self = of(plugin);
      for (uint64_t i = 0; i < count; ++i)
        final[i] = raw[i] == BERTH_NOT_SCORED ? 0 : self.normalise(raw[i], minimum, maximum);
    });
  }
  static berth_code normalise_pod_hook(berth_plugin* plugin, const berth_call* call,
                                       const int64_t* raw, int64_t minimum, int64_t maximum,
                                       int64_t* final) {
    return guarded(call->error, [&] {
      const Score& self = of(plugin);
      const Call view(call);
      for (uint64_t i = 0; i < call->count; ++i)
        final[i] =
            raw[i] == BERTH_NOT_SCORED ? 0 : self.normalise_with(view, raw[i], minimum, maximum);
    });
  }
  static berth_code numbers_hook(berth_plugin* plugin, const berth_call* call,
                                 const berth_numbers_sink* sink) {
    return guarded(call->error, [&] {
      Numbers out(sink);
      of(plugin).numbers(Call(call), out);
    });
  }

  const uint32_t normalise_;
  berth_score table_{};
};

// The answer of a PreScore. Default: score the pod.
class PreScoreResult {
 public:
  explicit PreScoreResult(berth_pre_score_result* raw) : raw_(raw) {}

  void skip() { raw_->code = BERTH_SKIP; }
  // For hooks with BERTH_DEPENDS_FEASIBLE: raw scores that the host keeps are stale.
  void changed() { raw_->changed = 1; }

 private:
  berth_pre_score_result* raw_;
};

template <class State = NoState>
class PreScore : public HookOf<Point::kPreScore, State> {
 public:
  using typename HookOf<Point::kPreScore, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), pre_score_hook};
    return &table_;
  }

 protected:
  // [cycle] Leave `result` unchanged to score the pod; throw Failure to fail it. `feasible` is null
  // unless the hook depends on BERTH_DEPENDS_FEASIBLE.
  virtual void pre_score(const Call& call, const berth_feasible* feasible,
                         PreScoreResult& result) const = 0;

 private:
  static berth_code pre_score_hook(berth_plugin* plugin, const berth_call* call,
                                   const berth_feasible* feasible, berth_pre_score_result* result) {
    return guarded(call->error, [&] {
      const auto& self = static_cast<PreScore&>(HookOf<Point::kPreScore, State>::of(plugin));
      PreScoreResult view(result);
      self.pre_score(Call(call), feasible, view);
    });
  }

  berth_pre_score table_{};
};

}  // namespace berth::sdk
