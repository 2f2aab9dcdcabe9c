#include "engine/startup/log_level_option.h"

#include <array>
#include <string>
#include <string_view>

#include "engine/base/program/checks.h"
#include "engine/host/instance/standard_log.h"

namespace berth::startup {
namespace {

// In the order of BERTH_LOG_, which begins with 1.
constexpr std::array<std::string_view, 4> kLevels = {"error", "warning", "info", "debug"};

void set_level(const std::string& name) {
  for (uint32_t i = 0; i < kLevels.size(); ++i)
    if (kLevels[i] == name) host::set_standard_log_level(i + 1);
}

}  // namespace

void add_log_level(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--log-level", set_level,
          "which messages of plugins are printed on standard error, with the plugin's name: error; "
          "warning, and errors; info, and these (the default); debug: all")
      ->check(check::one_of({"error", "warning", "info", "debug"}))
      ->option_text("error|warning|info|debug");
}

}  // namespace berth::startup
