#include "engine/startup/feature_gates_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"
#include "engine/base/program/messages.h"

namespace berth::startup {
namespace {

config::GateSettings settings_of(const std::vector<std::string>& texts) {
  return config::read_feature_gates(fmt::format("{}", fmt::join(texts, ",")));
}

// What is wrong with one text; empty: nothing.
std::string problem_of(const std::string& text) {
  try {
    config::read_feature_gates(text);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

}  // namespace

void FeatureGatesOption::add_to(CLI::App& command) {
  command
      .add_option("--feature-gates", texts,
                  "kube-scheduler's feature gates, by name: SchedulerPopFromBackoffQ (true) and "
                  "StorageCapacityScoring (false); others can only be set to what they are by "
                  "default, unless they do not concern scheduling; can be repeated")
      ->allow_extra_args(false)
      ->check(CLI::Validator([](std::string& text) { return problem_of(text); }, ""))
      ->option_text("NAME=true|false,...");
}

config::FeatureGates FeatureGatesOption::read() const {
  const config::GateSettings settings = settings_of(texts);
  for (const std::string& text : settings.notices) say(text);
  return settings.gates;
}

config::FeatureGates FeatureGatesOption::read_without_queue() const {
  config::FeatureGates gates = read();
  config::FeatureGates of_queue;
  of_queue.pop_from_backoff = gates.pop_from_backoff;
  if (of_queue != config::FeatureGates())
    say("feature gate " + config::to_text(of_queue) +
        " makes no difference here: it is of the queue");
  return gates;
}

}  // namespace berth::startup
