#pragma once

// A pod that came as work and is not scheduled, as the door (Intake) tells of it. Every pod that
// comes as work either waits for a node or is turned away.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/model/pods/pod_id.h"

namespace berth::runtime {

// Texts are valid during the call that delivers the value.
struct TurnedAway {
  enum class Why : uint8_t {
    kPlaced,       // it names its node, and counts there
    kFinished,     // it succeeded or failed
    kTerminating,  // it is being deleted
    kRejected      // a pod of its name is there
  };

  Why why;
  std::string_view namespace_name, name;
  model::PodId pod{};          // no id: the pod is not in the pod table
  std::string_view node{};     // of kPlaced
  std::string_view message{};  // of kRejected: with the place in the input
  size_t position = 0;         // number of pods that came together with it, before it, and wait
};

}  // namespace berth::runtime
