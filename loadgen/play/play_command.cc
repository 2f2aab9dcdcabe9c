#include "loadgen/play/play_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include "engine/base/error.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/io/unix_socket.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/program.h"
#include "engine/base/program/terminal.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "loadgen/workload/workload.h"
#include "loadgen/write/delivery.h"

namespace berth::loadgen {
namespace {

constexpr int kSignalStatus = 128;  // added to the signal number, as shells do

// The workload that the options select. Throws Error if there is none, and UsageError if the
// pattern fits none or several.
Workload choose(const std::string& name, const std::string& pattern) {
  Diagnostics diagnostics;
  std::vector<Workload> found = find_workloads(name, diagnostics);
  say_faults(diagnostics);
  const Place place{.file = name, .field = {}};
  if (found.empty()) throw Error(place, "there is no workload to play");
  std::vector<Workload> fitting;
  for (const Workload& workload : found)
    if (pattern.empty() || name_fits(workload.name, pattern)) fitting.push_back(workload);
  if (fitting.size() == 1) return std::move(fitting.front());
  const std::string what =
      fitting.empty() ? fmt::format("has no workload whose name fits \"{}\"; it holds:", pattern)
                      : "holds several such workloads; choose one with --workload:";
  std::vector<std::string> names;
  for (const Workload& workload : fitting.empty() ? found : fitting) names.push_back(workload.name);
  throw UsageError(place, what, names);
}

std::map<std::string, std::string> parse_settings(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> settings;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set: expected NAME=VALUE, found \"{}\"", text));
    if (!settings.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw UsageError(fmt::format("--set: \"{}\" is set twice", text.substr(0, equals)));
  }
  return settings;
}

double seconds_of(Nanoseconds time) { return 1e-9 * static_cast<double>(time.count()); }

std::string counts_text(const OutputCounts& counts) {
  std::string what;
  const auto add = [&](uint64_t count, const char* name) {
    if (count != 0) what += (what.empty() ? "" : ", ") + plural(count, name);
  };
  add(counts.nodes, "node");
  add(counts.namespaces, "namespace");
  add(counts.selector_owners, "selector owner");
  add(counts.storage, "storage object");
  add(counts.placed, "running pod");
  add(counts.pods, "pod");
  add(counts.events, "event");
  return what.empty() ? "nothing" : what;
}

void print_report(const PlayCommand& command, const std::string& note, const OutputCounts& counts,
                  const PlayReport& report) {
  const double seconds = seconds_of(report.elapsed);
  say(printable(note));
  std::string wrote = fmt::format("{}wrote {} in {}", report.stopped ? "stopped early; " : "",
                                  counts_text(counts), duration_text(seconds));
  if (counts.pods != 0 && seconds > 0)
    wrote += fmt::format(" ({} pods/s)", measured_text(static_cast<double>(counts.pods) / seconds));
  if (report.planned.count() != 0)
    wrote += fmt::format(", {} of planned time", duration_text(seconds_of(report.planned)));
  say(wrote);
  const Histogram& late = report.lateness;
  const auto at = [&](double part) {
    return duration_text(1e-9 * static_cast<double>(late.quantile(part)));
  };
  if (command.play.pace)
    say(fmt::format("lateness of {}: p50 {}, p99 {}, max {}", plural(late.count(), "pod"), at(0.5),
                    at(0.99), duration_text(1e-9 * static_cast<double>(late.maximum()))));
  if (report.lost != 0)
    say(fmt::format("lost: {}, {}made and not written", plural(report.lost, "pod"),
                    command.play.pace ? "due or " : ""));
  if (counts.drained != 0)
    say("drains of nodes that are in it without the evictions of their pods: " +
        grouped(counts.drained));
}

// Opens the destination; nullopt if an interrupt arrives while it waits for a reader.
std::optional<Descriptor> open_output(const PlayCommand& command) {
  if (command.listen.empty()) return open_for_delivery(command.output);
  const std::optional<std::string> path = unix_socket_path(command.listen);
  if (!path) throw Error(fmt::format("--listen: expected unix:PATH, found \"{}\"", command.listen));
  UnixListener listener(*path, command.listen);
  return listener.accept(interrupted);
}

std::string format_of(const PlayCommand& command) {
  if (!command.format.empty()) return command.format;
  if (command.output.ends_with(".json")) return "list";
  return command.output.ends_with(".jsonl") ? "jsonl" : "frames";
}

std::unique_ptr<LoadOutput> make_output(const PlayCommand& command, ByteSink& sink) {
  const std::string format = format_of(command);
  if (format == "list") return list_output(sink);
  return format == "jsonl" ? watch_output(sink) : frame_output(sink);
}

// The first signal ends the load in order, the second the write that waits; none ends the process.
// Writing to a pipe without a reader fails with an error.
void watch_signals() {
  note_interrupts({.waiting = InterruptRules::Waiting::kReturns, .second_ends = false});
  std::signal(SIGPIPE, SIG_IGN);
}

int status_of_interrupt() { return kSignalStatus + first_interrupt(); }

}  // namespace

int run(const PlayCommand& command) {
  const Workload workload = choose(command.workload, command.pattern);
  const std::unique_ptr<Load> load =
      workload.open({.seed = command.seed, .parameters = parse_settings(command.settings)});
  if (command.listen.empty()) refuse_overwriting(command.output, workload.files);
  if (command.listen.empty() && format_of(command) == "frames")
    refuse_on_terminal(command.output, "frames");
  watch_signals();
  std::optional<Descriptor> descriptor = open_output(command);
  if (!descriptor) return status_of_interrupt();
  const std::string name = !command.listen.empty() ? command.listen
                           : command.output == "-" ? "standard output"
                                                   : command.output;
  Delivery delivery(std::move(*descriptor), name,
                    {.give_up = command.give_up, .stop = [] { return interrupts() > 1; }});
  const std::unique_ptr<LoadOutput> output = make_output(command, delivery);
  PlayOptions options = command.play;
  options.stop = interrupted;
  PlayReport report;
  const auto tell = [&] { print_report(command, load->note(), output->counts(), report); };
  try {
    play(*load, options, system_clock(), *output, report);
  } catch (const Interrupted&) {
    tell();
    say("interrupted twice: the stream has no end mark");
    return status_of_interrupt();
  } catch (const Error&) {
    tell();
    throw;
  }
  tell();
  if (interrupted()) return status_of_interrupt();
  return workload.faults == 0 ? kOk : kFailed;
}

}  // namespace berth::loadgen
