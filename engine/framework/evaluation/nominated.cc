#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

bool any_nominated(const model::Cluster& cluster, model::Row row, const DecisionContext& context) {
  bool any = false;
  for_each_nominated(cluster, row, context, [&](const model::PodOnNode&) { any = true; });
  return any;
}

}  // namespace berth::framework
