#include "engine/host/run/kept.h"

#include "berth/abi/hook.h"
#include "engine/base/assert.h"

namespace berth::host {

Keeps kept_of(Point point, uint32_t depends) {
  if (point == Point::kQueueSort) return Keeps::kKeys;
  const bool kept = point_info(point).kept && depends != BERTH_DEPENDS_EXTERNAL;
  return kept ? Keeps::kAnswers : Keeps::kNothing;
}

std::string Refusal::text(const PluginFunction& in) {
  BERTH_ASSERT(of(in));
  const std::string called = "called " + std::string(service_) + " in ";
  const std::string function(in.function);
  switch (in.keeps) {
    case Keeps::kStates:
      return called + "prepare of " + function + ", whose states are kept; prepare may not";
    case Keeps::kKeys:
      return called + function + ", whose keys are kept; " + function + " may not";
    default:
      return called + function +
             ", whose answers are kept; only a hook that is BERTH_DEPENDS_EXTERNAL may";
  }
}

}  // namespace berth::host
