#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::host {

// The name of a berth_code as kube-scheduler prints it, such as "UnschedulableAndUnresolvable".
std::string_view code_name(uint8_t code);
// The name that a berth_code has for authors of plugins, without BERTH_, such as
// "UNSCHEDULABLE_AND_UNRESOLVABLE"; the number of one that has no name.
std::string code_word(int64_t code);

}  // namespace berth::host
