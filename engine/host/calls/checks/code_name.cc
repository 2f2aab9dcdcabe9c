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

std::string code_word(int64_t code) {
  switch (code) {
    case BERTH_SUCCESS:
      return "SUCCESS";
    case BERTH_ERROR:
      return "ERROR";
    case BERTH_UNSCHEDULABLE:
      return "UNSCHEDULABLE";
    case BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE:
      return "UNSCHEDULABLE_AND_UNRESOLVABLE";
    case BERTH_WAIT:
      return "WAIT";
    case BERTH_SKIP:
      return "SKIP";
    case BERTH_PENDING:
      return "PENDING";
  }
  return std::to_string(code);
}

}  // namespace berth::host
