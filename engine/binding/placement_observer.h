#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/model/pods/pod_id.h"

namespace berth::binding {

// One call of a hook about one pod on its node. Views are valid while it is told.
struct PlacementCall {
  enum class Point : uint8_t { kReserve, kUnreserve, kPermit, kPreBind, kPostBind } point;
  std::string_view plugin;
  model::PodId pod;
  std::string_view node;  // its name; the node may be gone
  // The answer, a BERTH_ code; BERTH_ERROR if the call failed. Unreserve and PostBind have none.
  uint8_t code = 0;
  Time timeout{};  // that a WAIT asks for; of PreBind: after which it is called again
};

// Is told of each call from Reserve to PostBind, after it, in order; of PreBind and PostBind when
// the completions of their batch count. For records of what plugins did; a run has none. On the
// thread that owns the model.
class PlacementObserver {
 public:
  virtual ~PlacementObserver() = default;
  virtual void called(const PlacementCall& call) = 0;
};

}  // namespace berth::binding
