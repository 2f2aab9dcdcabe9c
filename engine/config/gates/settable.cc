#include "engine/config/gates/settable.h"

#include <string>

#include "engine/base/error.h"
#include "engine/config/gates/feature_gates.h"

namespace berth::config {

bool can_set(std::string_view gate, bool value, KubeVersion version) {
  try {
    set_gates({{std::string(gate), value}}, version);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace berth::config
