#include "plugins/scheduling_gates/scheduling_gates.h"

namespace berth::plugins {

void GatesPreEnqueue::check(const Call& call, std::span<uint8_t> codes,
                            std::span<uint32_t> reasons) const {
  const auto gates = call[gates_];
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = gates[i].empty() ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    reasons[i] = 1;
  }
}

void GatesPreEnqueue::describe(const Call& call, uint32_t, const sdk::TextSink& sink) const {
  std::string names;
  const auto gates = call.one(gates_);
  for (size_t i = 0; i < gates.size(); ++i)
    names += sdk::concat(i == 0 ? "" : " ", strings_.text(gates[i]));
  sink.write(sdk::concat("waiting for scheduling gates: [", names, "]"));
}

}  // namespace berth::plugins
