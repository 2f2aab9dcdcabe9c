#pragma once

#include "engine/model/columns/strings.h"
#include "engine/model/pods/pod_table.h"

namespace berth::model {

// The source of the annotations of pods, which the model does not keep: scheduling reads none of
// them, and few plugins do.
class PodAnnotations {
 public:
  virtual ~PodAnnotations() = default;
  // The string id of the annotation's value; 0: the pod lacks it. `key`: a string id. Any thread,
  // while nobody changes the cluster.
  virtual StringId annotation(const PodRecord& pod, StringId key) const = 0;
};

}  // namespace berth::model
