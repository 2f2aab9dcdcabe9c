#include "engine/host/faults/floating_point.h"

#include <cfenv>

namespace berth::host {

std::string restore_floating_point(std::string_view function) {
  if (!floating_point_changed()) return {};
  std::fesetenv(FE_DFL_ENV);
  return "changed the settings of floating-point arithmetic in " + std::string(function) +
         ": rounding, exceptions or denormal numbers (as code does that gcc before 13 links with "
         "-ffast-math or -Ofast)";
}

}  // namespace berth::host
