#pragma once

// The annotation of nodes that lists whose pods they would rather not have.

#include <string>
#include <string_view>
#include <vector>

namespace berth::plugins {

struct Controller {
  std::string kind;
  std::string uid;

  bool operator==(const Controller&) const = default;
};

// The controllers that an annotation lists; none if it is malformed, as kube-scheduler has it.
std::vector<Controller> read_avoided(std::string_view annotation);

}  // namespace berth::plugins
