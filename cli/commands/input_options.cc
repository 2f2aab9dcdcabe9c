#include "cli/commands/input_options.h"

#include <fmt/format.h>

#include <optional>

#include "engine/base/program/checks.h"
#include "engine/base/text/go_duration.h"
#include "engine/startup/log_level_option.h"

namespace berth::cli {
namespace {

std::string play_on_problem(const std::string& text) {
  const std::optional<int64_t> duration = parse_duration(text);
  if (duration && *duration >= 0) return {};
  return fmt::format("expected a duration such as 6m or 1h30m, found \"{}\"", text);
}

std::string max_unschedulable_problem(const std::string& text) {
  const std::optional<int64_t> duration = parse_duration(text);
  if (duration && *duration > 0) return {};
  return fmt::format("expected a duration over 0 such as 5m or 1h30m, found \"{}\"", text);
}

}  // namespace

void add_input_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("FILE", options.dumps,
                  "a cluster and its pods, as kubectl prints them: pods without a node are "
                  "scheduled, and manifests make theirs; JSON or YAML files, folders with such, or "
                  "one stream")
      ->option_text("FILE...");
  command
      .add_option(
          "--cluster", options.cluster,
          "the cluster: nodes, the pods on them, namespaces; JSON or YAML, a folder with such, or "
          "a "
          "stream; - is standard input. Without it, the cluster is read from the stream of --pods")
      ->option_text("FILE...");
  command
      .add_option(
          "--pods", options.pods,
          "the pods to schedule: a stream of frames or of JSON lines, or JSON or YAML, or a "
          "folder with such; unix:PATH is a socket, - standard input")
      ->option_text("FILE");
}

void check_inputs(const RunOptions& options, const std::string& command) {
  if (!options.dumps.empty() && !(options.cluster.empty() && options.pods.empty()))
    throw CLI::ValidationError("FILE",
                               "stands for the cluster and its pods: give it alone, or both with "
                               "--cluster and --pods");
  if (!options.dumps.empty() || !options.pods.empty()) return;
  throw CLI::ValidationError(
      "--pods", options.cluster.empty()
                    ? "expected the pods to schedule, or FILE, which has a cluster and its pods"
                    : "expected the pods to schedule; for those of the cluster that wait, leave "
                      "out --cluster: " +
                          command + " " + options.cluster.front());
}

void add_admission_options(CLI::App& command, RunOptions& options) {
  command
      .add_option_function<std::string>(
          "--admission", [&options](const std::string& word) { options.admission = word == "on"; },
          "on: pods that are created here get what an API server's default plugins give them, or "
          "are refused as there, and so are nodes without a UID that are not valid (the default); "
          "off: they are taken as they are")
      ->check(check::one_of({"on", "off"}))
      ->option_text("on|off");
  options.admission_plugins.add_to(command);
  startup::add_log_level(command);
  command.add_flag("--strict", options.strict, "stop at the first fault in the input");
}

void add_thread_option(CLI::App& command, RunOptions& options) {
  command
      .add_option(
          "--threads", options.threads,
          "maximum number of threads that evaluate nodes, where several are faster (all cores)")
      ->check(check::whole_number(1, 1024))
      ->option_text("N");
}

void add_wait_options(CLI::App& command, RunOptions& options) {
  command
      .add_option_function<std::string>(
          "--play-on",
          [&options](const std::string& text) { options.play_on = Time(*parse_duration(text)); },
          "how long the run goes on after its input for unschedulable pods, which are tried again "
          "after five minutes (0s)")
      ->check(CLI::Validator(play_on_problem, ""))
      ->option_text("DURATION");
  command
      .add_option_function<std::string>(
          "--pod-max-in-unschedulable-pods-duration",
          [&options](const std::string& text) {
            options.core.scheduler.queue.max_unschedulable = Time(*parse_duration(text));
          },
          "an unschedulable pod that waited for longer is tried again (5m)")
      ->check(CLI::Validator(max_unschedulable_problem, ""))
      ->option_text("DURATION");
}

}  // namespace berth::cli
