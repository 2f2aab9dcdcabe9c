#pragma once

// The parts of objects that scheduling does not read and the controllers of a run do.
//
// They travel in a box (change.h), so that whoever reads none of them need not know their forms.

#include <variant>

#include "engine/model/objects/kubelet_objects.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/workload.h"

namespace berth::model {

struct ControllerObjectData {
  std::variant<std::monostate, Workload, KubeletConfiguration, PodMetrics, NodeMetrics> value;
};

}  // namespace berth::model
