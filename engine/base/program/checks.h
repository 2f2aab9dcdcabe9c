#pragma once

// Checks of an option's text, for CLI::Option::check. Each message names what was expected and what
// was found.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::check {

// A decimal number without a sign, from `low` to `high`.
CLI::Validator whole_number(uint64_t low, uint64_t high);
// A finite number from `low` to `high`.
CLI::Validator number(double low, double high);
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace berth::check
