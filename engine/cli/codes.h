#pragma once

#include <cstdint>
#include <string_view>

#include "engine/cycle/scheduler.h"

namespace berth::cli {

// The names of status codes as kube-scheduler prints them.
std::string_view code_name(uint8_t code);

// "scheduled", "unschedulable", "error", "gated" or "ignored".
const char* outcome_name(cycle::PodOutcome outcome);

}  // namespace berth::cli
