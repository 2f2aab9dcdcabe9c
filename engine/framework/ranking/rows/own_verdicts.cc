#include "engine/framework/ranking/rows/own_verdicts.h"

#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

void OwnVerdicts::count(model::Row rows) {
  open_rows_ = mark_feasible(refuser_.data(), rows, open_.data());
  errors_ = 0;
  if (framework::any_error(refuser_.data(), code_.data(), rows))
    errors_ = static_cast<uint32_t>(
        std::count(code_.begin(), code_.begin() + rows, uint8_t{BERTH_ERROR}));
}

void OwnVerdicts::move(const model::RowShift& shift, model::BlockBits& differ) {
  apply(shift, refuser_.data(), differ);
  apply(shift, code_.data(), differ);
  if (!shift.comes) return;
  refuser_[shift.at] = kFeasible;
  code_[shift.at] = 0;
}

}  // namespace berth::framework
