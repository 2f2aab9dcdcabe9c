#include "engine/startup/serve/go_values.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/text/go_duration.h"

namespace berth::startup {

std::optional<bool> parse_go_bool(std::string_view text) {
  for (const std::string_view word : {"1", "t", "T", "TRUE", "true", "True"})
    if (text == word) return true;
  for (const std::string_view word : {"0", "f", "F", "FALSE", "false", "False"})
    if (text == word) return false;
  return std::nullopt;
}

CLI::Validator is_go_duration() {
  const auto problem = [](const std::string& text) {
    if (parse_duration(text)) return std::string();
    return fmt::format("expected a duration such as 15s or 1m30s, found \"{}\"", text);
  };
  return CLI::Validator([problem](std::string& text) { return problem(text); }, "");
}

void add_go_bool(CLI::App& command, const std::string& name, std::function<void(bool)> take,
                 const std::string& help) {
  const auto problem = [](const std::string& text) {
    if (parse_go_bool(text)) return std::string();
    return fmt::format("expected true or false, found \"{}\"", text);
  };
  command
      .add_option_function<std::string>(
          name, [take = std::move(take)](const std::string& text) { take(*parse_go_bool(text)); },
          help)
      ->check(CLI::Validator([problem](std::string& text) { return problem(text); }, ""))
      ->expected(0, 1)
      ->default_str("true")
      ->option_text("[true|false]");
}

}  // namespace berth::startup
