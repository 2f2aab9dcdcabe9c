#include "engine/model/pods/tolerations.h"

#include <algorithm>
#include <string>

#include "engine/model/pods/tolerates.h"

namespace berth::model {
namespace {

bool keeps_out(const Taint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

}  // namespace

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

TolerationSets::Handle TolerationSets::of(const std::vector<Toleration>& tolerations) {
  std::string identity;
  for (const Toleration& one : tolerations)
    for (const std::string* part : {&one.key, &one.op, &one.value, &one.effect})
      identity += std::to_string(part->size()) + ':' + *part;
  const Handle known = sets_.find(identity);
  return known != 0 ? known : sets_.add(std::move(identity), tolerations);
}

bool TolerationSets::tolerate(Handle handle, const std::vector<Taint>& taints) const {
  const std::vector<Toleration>& set = sets_[handle];
  return std::all_of(taints.begin(), taints.end(), [&](const Taint& taint) {
    return !keeps_out(taint) || std::any_of(set.begin(), set.end(), [&](const Toleration& one) {
      return tolerates(one, taint);
    });
  });
}

}  // namespace berth::model
