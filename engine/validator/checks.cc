#include <algorithm>
#include <vector>

#include "engine/validator/check.h"
#include "engine/validator/families/families.h"

namespace berth::validator {

std::span<const Check> all_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> made;
    for (const auto family :
         {identity_checks, life_checks, argument_checks, call_checks, row_checks, memory_checks,
          input_checks, evaluation_checks, service_checks, process_checks, later_life_checks}) {
      const std::span<const Check> checks = family();
      made.insert(made.end(), checks.begin(), checks.end());
    }
    return made;
  }();
  return all;
}

const Check* find_check(std::string_view name) {
  const std::span<const Check> all = all_checks();
  const auto found = std::ranges::find(all, name, &Check::name);
  return found != all.end() ? &*found : nullptr;
}

}  // namespace berth::validator
