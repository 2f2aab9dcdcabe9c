#include "engine/controllers/conditions.h"

#include <algorithm>
#include <utility>

namespace berth::controllers {

const Condition* find(const std::vector<Condition>& conditions, std::string_view type) {
  const auto at = std::ranges::find(conditions, type, &Condition::type);
  return at == conditions.end() ? nullptr : &*at;
}

bool put(std::vector<Condition>& conditions, Condition condition) {
  const auto at = std::ranges::find(conditions, condition.type, &Condition::type);
  if (at == conditions.end()) {
    conditions.push_back(std::move(condition));
    return true;
  }
  if (at->status == condition.status) condition.transition = at->transition;
  if (*at == condition) return false;
  *at = std::move(condition);
  return true;
}

}  // namespace berth::controllers
