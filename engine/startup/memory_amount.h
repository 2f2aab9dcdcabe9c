#pragma once

// Amounts of memory in options: Kubernetes quantities, such as 512Mi.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace berth::startup {

// In bytes, rounded up. Nothing: it is not an amount, or negative.
std::optional<int64_t> memory_amount(const std::string& text);
// Accepts amounts. `zero`: what 0 means, for the error: "for no limit".
CLI::Validator is_memory_amount(const std::string& zero);

}  // namespace berth::startup
