#pragma once

#include <cstdint>
#include <string_view>

namespace berth::host {

// The name of a berth_code as kube-scheduler prints it, such as "UnschedulableAndUnresolvable".
std::string_view code_name(uint8_t code);

}  // namespace berth::host
