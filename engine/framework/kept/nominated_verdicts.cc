#include "engine/framework/kept/nominated_verdicts.h"

#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

void NominatedVerdicts::resize(size_t rows) {
  if (counts_.size() == rows) return;
  counts_.resize(rows);
  refuser_.resize(rows);
  code_.resize(rows);
  checked_.resize((rows + RowVersions::kBlock - 1) / RowVersions::kBlock);
}

void NominatedVerdicts::write(model::Row begin, model::Row end, SearchResult& result) const {
  replace(counts_.data() + begin, refuser_.data() + begin, result.refuser + begin, end - begin);
  replace(counts_.data() + begin, code_.data() + begin, result.code + begin, end - begin);
}

}  // namespace berth::framework
