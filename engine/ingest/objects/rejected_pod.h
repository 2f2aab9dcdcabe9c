#pragma once

// A pod of the input that its reader left out, for those who account for every pod.

#include <string>

#include "engine/document/document.h"

namespace berth::ingest {

struct RejectedPod {
  std::string namespace_name, name;  // empty: unknown
  std::string message;               // with the place in the input
};

// Names the pod as an object without faults would be named, as far as it can be read. A
// generateName stays without a number.
RejectedPod rejected_pod(document::Value pod, std::string message);

}  // namespace berth::ingest
