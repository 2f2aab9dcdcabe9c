#pragma once

// Conditions of a status, as pods and nodes have them.

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"

namespace berth::controllers {

struct Condition {
  std::string type;
  std::string status;  // "True", "False" or "Unknown"
  std::string reason{}, message{};
  Time transition{};  // since when the status is this
  bool operator==(const Condition&) const = default;
};

// Null: there is none of this type.
const Condition* find(const std::vector<Condition>& conditions, std::string_view type);

// Puts the condition in the place of the one of its type, or behind all others. If the status was
// the same before, so is the transition. Returns whether anything changed.
bool put(std::vector<Condition>& conditions, Condition condition);

}  // namespace berth::controllers
