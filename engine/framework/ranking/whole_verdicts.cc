#include "engine/framework/ranking/whole_verdicts.h"

#include <algorithm>
#include <bit>

#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

void WholeVerdicts::settle(const ClassVerdicts& classes, const OwnVerdicts& own,
                           const Overlays& overlays, model::Row rows) {
  if (!all_late_ && late_ == 0) return;
  if (all_late_) {
    std::copy_n(own.refusers(), refuser_.size(), refuser_.begin());
    std::copy_n(own.codes(), code_.size(), code_.begin());
    late_ = classes.refused();
  }
  for (; late_ != 0; late_ &= late_ - 1) {
    const auto one = static_cast<RowClass>(std::countr_zero(late_));
    const auto& verdict = classes.of(one);
    settle_class(classes.classes().of_rows(), one, verdict.refuser, verdict.code, own.refusers(),
                 own.codes(), refuser_.data(), code_.data(), rows);
  }
  all_late_ = false;
  for (const Overlays::One& one : overlays.all()) set(one.row, one.refuser, one.code);
}

}  // namespace berth::framework
