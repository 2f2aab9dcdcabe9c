#include "bench/macro/measure/figures/hook_costs.h"

namespace berth::bench {

std::vector<host::HookCounts> HookCosts::now() const {
  std::vector<host::HookCounts> counts(core_.hooks().size() + 1);
  for (host::HookId id = 1; id < counts.size(); ++id) {
    counts[id] = core_.calls().counts(id);
    for (const host::CallContext* calls : core_.scheduler().decisions().other_calls())
      counts[id] += calls->counts(id);
  }
  return counts;
}

void HookCosts::begin() { before_ = now(); }

void HookCosts::end() {
  const std::vector<host::HookCounts> after = now();
  counted_.resize(after.size());
  before_.resize(after.size());
  for (host::HookId id = 1; id < after.size(); ++id) {
    host::HookCounts& sum = counted_[id];
    sum.calls += after[id].calls - before_[id].calls;
    sum.errors += after[id].errors - before_[id].errors;
    sum.timed_calls += after[id].timed_calls - before_[id].timed_calls;
    sum.timed_nanoseconds += after[id].timed_nanoseconds - before_[id].timed_nanoseconds;
  }
}

std::vector<HookCost> HookCosts::of(uint64_t decisions) const {
  std::vector<HookCost> costs;
  for (host::HookId id = 1; id < counted_.size(); ++id) {
    const host::HookCounts& counts = counted_[id];
    if (counts.calls == 0) continue;
    const host::HookTable::Name name = core_.hooks().name(id);
    HookCost cost{name.plugin, name.hook, counts.calls, counts.errors, 0, 0};
    if (counts.timed_calls != 0)
      cost.seconds_per_call = static_cast<double>(counts.timed_nanoseconds) * 1e-9 /
                              static_cast<double>(counts.timed_calls);
    if (decisions != 0)
      cost.seconds_per_decision = cost.seconds_per_call * static_cast<double>(counts.calls) /
                                  static_cast<double>(decisions);
    costs.push_back(std::move(cost));
  }
  return costs;
}

}  // namespace berth::bench
