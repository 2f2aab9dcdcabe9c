#pragma once

#include <cstdint>
#include <string_view>

namespace berth::host {

// The names of status codes as kube-scheduler prints them.
std::string_view code_name(uint8_t code);

}  // namespace berth::host
