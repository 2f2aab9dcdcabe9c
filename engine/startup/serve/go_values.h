#pragma once

// Values of options as Go's flag packages take them.

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace berth::startup {

// As strconv.ParseBool: 1, t, T, TRUE, true, True, and the like for false.
std::optional<bool> parse_go_bool(std::string_view text);

// Accepts durations such as 15s and 1m30s.
CLI::Validator is_go_duration();

// An option that may stand without a value, which means true: --leader-elect, --leader-elect=false.
void add_go_bool(CLI::App& command, const std::string& name, std::function<void(bool)> take,
                 const std::string& help);

}  // namespace berth::startup
