#include "engine/host/calls/checks/code_name.h"

#include "berth/abi/base.h"

namespace berth::host {
namespace {

struct Names {
  uint8_t code;
  std::string_view name, word;
};

constexpr Names kNames[] = {
    {BERTH_SUCCESS, "Success", "SUCCESS"},
    {BERTH_ERROR, "Error", "ERROR"},
    {BERTH_UNSCHEDULABLE, "Unschedulable", "UNSCHEDULABLE"},
    {BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, "UnschedulableAndUnresolvable",
     "UNSCHEDULABLE_AND_UNRESOLVABLE"},
    {BERTH_WAIT, "Wait", "WAIT"},
    {BERTH_SKIP, "Skip", "SKIP"},
    {BERTH_PENDING, "Pending", "PENDING"},
};

}  // namespace

std::string_view code_name(uint8_t code) {
  for (const Names& names : kNames)
    if (names.code == code) return names.name;
  return "Unknown";
}

std::string code_word(int64_t code) {
  for (const Names& names : kNames)
    if (names.code == code) return std::string(names.word);
  return std::to_string(code);
}

}  // namespace berth::host
