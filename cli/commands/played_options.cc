#include "cli/commands/played_options.h"

#include <fmt/format.h>

#include <string>

#include "engine/base/program/checks.h"
#include "engine/base/text/go_duration.h"

namespace berth::cli {
namespace {

std::string delay_problem(const std::string& text) {
  const std::optional<int64_t> duration = parse_duration(text);
  if (duration && *duration >= 0) return {};
  return fmt::format("expected a duration such as 5s or 1m30s, found \"{}\"", text);
}

void add_volume_options(CLI::App& command, RunOptions& options) {
  command
      .add_option_function<std::string>(
          "--volume-binding",
          [&options](const std::string& word) { options.volume_binding = word == "on"; },
          "on: claims are bound and volumes provisioned as a cluster's controllers do (the default "
          "with --clock=virtual); off: only the input does that (with --clock=wall)")
      ->check(check::one_of({"on", "off"}))
      ->option_text("on|off");
  command
      .add_option_function<std::string>(
          "--volume-binding-delay",
          [&options](const std::string& text) {
            options.volumes.delay = Time(*parse_duration(text));
          },
          "how long a volume takes to be bound or provisioned (1s)")
      ->check(CLI::Validator(delay_problem, ""))
      ->option_text("DURATION");
  command
      .add_option("--volume-binding-failures", options.volumes.failure_percent,
                  "percentage of provisionings that fail, drawn from the seed (0)")
      ->check(check::whole_number(0, 100))
      ->option_text("N");
}

}  // namespace

void add_played_options(CLI::App& command, RunOptions& options) {
  add_volume_options(command, options);
  options.controllers.add_to(command, "--clock=virtual");
}

}  // namespace berth::cli
