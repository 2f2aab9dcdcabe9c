#include "engine/startup/rules_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/config/gates/feature_gates.h"

namespace berth::startup {
namespace {

std::string known_versions() {
  std::vector<std::string_view> texts;
  for (const KubeVersion version : kube_versions()) texts.push_back(version_text(version));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The fault of gates in a version; empty: none.
std::string problem_of_gates(const std::string& text, KubeVersion version) {
  try {
    config::read_feature_gates(text, version);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

// The same where the file of the configuration may say the version: what is wrong in all.
std::string problem_of_gates(const std::string& text) {
  std::string problem;
  for (const KubeVersion version : kube_versions()) {
    const std::string here = problem_of_gates(text, version);
    if (here.empty()) return {};
    if (version == kDefaultKubeVersion) problem = here;
  }
  return problem;
}

// The fault of the text; empty: none.
std::string problem_of_version(const std::string& text) {
  if (kube_version_named(text)) return {};
  return "expected one of " + known_versions() + ", found \"" + text + "\"";
}

// Each text alone. That two of them contradict each other is found when they are read.
void check_gates(const std::vector<std::string>& gates, const std::string& version) {
  for (const std::string& text : gates) {
    const std::string problem = version.empty()
                                    ? problem_of_gates(text)
                                    : problem_of_gates(text, *kube_version_named(version));
    if (!problem.empty()) throw CLI::ValidationError("--feature-gates", problem);
  }
}

}  // namespace

void add_kube_version(CLI::App& command, std::string& version, const std::string& what) {
  command.add_option("--kube-version", version, what + ": " + known_versions())
      ->check(CLI::Validator([](std::string& text) { return problem_of_version(text); }, ""))
      ->option_text(fmt::format("VERSION [{}]", version_text(kDefaultKubeVersion)));
}

void RulesOptions::add_to(CLI::App& command) {
  add_kube_version(command, version, "the version of kube-scheduler whose rules decide");
  command
      .add_option("--feature-gates", gates,
                  "kube-scheduler's feature gates, by name: SchedulerPopFromBackoffQ (true), "
                  "StorageCapacityScoring (false), and those that 1.36 brings; others can only be "
                  "set to what they are by default, unless they do not concern scheduling; can be "
                  "repeated")
      ->allow_extra_args(false)
      ->option_text("NAME=true|false,...");
  // Once all options are known: which gates there are depends on the version.
  command.parse_complete_callback([this] { check_gates(gates, version); });
}

config::RulesChoice RulesOptions::read() const {
  config::RulesChoice choice;
  if (!version.empty()) choice.version = kube_version_named(version);
  choice.gates = config::parse_gates(fmt::format("{}", fmt::join(gates, ",")));
  return choice;
}

void say_notices(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) say(printable(notice));
}

void say_gates_of_queue(const Rules& rules) {
  Rules of_queue(rules.version());
  of_queue.set(Rule::kPopFromBackoff, rules.has(Rule::kPopFromBackoff));
  if (of_queue != Rules(rules.version()))
    say("feature gate " + config::gates_text(of_queue) +
        " makes no difference here: it is of the queue");
}

}  // namespace berth::startup
