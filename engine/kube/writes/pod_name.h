#pragma once

// Which pod a write is about.

#include <string>

namespace berth::kube {

// The names and the UID as the server has them.
struct PodName {
  std::string namespace_name, name, uid;
};

}  // namespace berth::kube
