#include "engine/host/calls/checks/code_name.h"

#include "berth/abi/base.h"

namespace berth::host {

std::string_view code_name(uint8_t code) {
  switch (code) {
    case BERTH_SUCCESS:
      return "Success";
    case BERTH_ERROR:
      return "Error";
    case BERTH_UNSCHEDULABLE:
      return "Unschedulable";
    case BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE:
      return "UnschedulableAndUnresolvable";
    case BERTH_WAIT:
      return "Wait";
    case BERTH_SKIP:
      return "Skip";
    case BERTH_PENDING:
      return "Pending";
  }
  return "Unknown";
}

}  // namespace berth::host
