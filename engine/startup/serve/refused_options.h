#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string_view>

namespace berth::startup {

// An option of kube-scheduler v1.34.1 that Berth has not.
struct RefusedOption {
  std::string_view name;  // with its dashes
  std::string_view hint;  // why, or what to do
};
std::span<const RefusedOption> refused_options();

// Adds them, so that each is refused by its name with its hint. The help does not show them.
void add_refused_options(CLI::App& command);

}  // namespace berth::startup
