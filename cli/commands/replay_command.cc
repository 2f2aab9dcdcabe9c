// berth replay: a recorded run again; or what a cluster recorded, and our decisions beside it.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "cli/commands/command.h"
#include "cli/commands/given_options.h"
#include "cli/commands/input_options.h"
#include "cli/commands/question_options.h"
#include "cli/commands/run_setup.h"
#include "cli/page/report_option.h"
#include "cli/replay/journal/journal_play.h"
#include "cli/replay/journal/played_inputs.h"
#include "cli/replay/record_input.h"
#include "cli/replay/record_text.h"
#include "cli/replay/replay_page.h"
#include "cli/replay/replay_text.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/message_scope.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/go_duration.h"
#include "engine/output/format_option.h"

namespace berth::cli {
namespace {

// The exit status if decisions differ.
constexpr int kDecidesOtherwise = 3;

// Of a run, and without an effect where decisions are asked one by one.
constexpr auto kOfRuns = std::to_array<const char*>(
    {"--admission", "--admission-control-config-file", "--audit", "--clock", "--controllers",
     "--enable-admission-plugins", "--evaluation", "--no-pop-from-backoff", "--play-on",
     "--pod-max-in-unschedulable-pods-duration", "--ranking-memory", "--threads",
     "--verify-evaluation", "--volume-binding", "--volume-binding-delay",
     "--volume-binding-failures"});

struct ReplayOptions {
  std::string file;
  std::vector<std::string> cluster;  // before a record
  RunSetup setup;
  PlayLimits limits;
  size_t most = 10;    // pods that the page shows
  std::string report;  // empty: none is written
  std::shared_ptr<const output::FormatOption> format;
};

std::optional<uint64_t> whole_number(const std::string& text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, fault] = std::from_chars(text.data(), end, number);
  return fault == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

std::string until_problem(const std::string& text) {
  if (whole_number(text)) return {};
  const std::optional<int64_t> duration = parse_duration(text);
  if (duration && *duration >= 0) return {};
  return fmt::format("expected a number of decisions, or a time such as 1h30m, found \"{}\"", text);
}

void take_until(PlayLimits& limits, const std::string& text) {
  limits.until = whole_number(text);
  if (!limits.until) limits.until_time = Time(*parse_duration(text));
}

// Plugins are code, which nobody's file chooses.
void leave_out_plugins(std::vector<JournalOption>& options) {
  const auto at = std::ranges::find(options, "--plugins", &JournalOption::name);
  if (at == options.end()) return;
  say(fmt::format("the run had --plugins {}: give it again if its plugins take part",
                  fmt::join(at->values, ":")));
  options.erase(at);
}

// A run of the journal, with options of this command line in the place of its own.
LiveSide side_of(const ReplayOptions& options, const PlayedInputs& inputs,
                 std::vector<JournalOption> recorded, const std::vector<JournalOption>& given) {
  replace_options(recorded, given);
  CLI::App command("the recorded run", "run");
  RunSetup setup;
  add_input_options(command, setup.run);
  setup.add_to(command);
  try {
    parse_options(command, recorded);
  } catch (const CLI::ParseError& error) {
    throw Error(Place{.file = options.file, .field = {}},
                fmt::format("the options of the recorded run: {}", error.what()));
  }
  setup.evaluation = options.setup.evaluation;
  setup.memory = options.setup.memory;
  setup.verification = options.setup.verification;
  setup.run.threads = options.setup.run.threads;
  setup.run.core.audits = options.setup.run.core.audits;
  setup.check();
  inputs.attach(setup.run);
  config::Configuration configuration = setup.configuration();
  runtime::Plugins plugins = setup.discover(configuration);
  return {setup.run, std::move(configuration), std::move(plugins), {}};
}

// A replay in each of the forms that it may be asked for.
struct ReplayForms {
  std::function<std::string(size_t most)> text;
  std::function<std::string()> json, page;
};

void print_forms(const ReplayOptions& options, ReportFile& report, const ReplayForms& forms) {
  report.write(forms.page);
  if (report.is_standard_output()) return;
  options.format->print({.text = [&] { return forms.text(options.most); },
                         .wide = [&] { return forms.text(SIZE_MAX); },
                         .json = forms.json});
}

// As of `berth run`, a plugin that failed is told by the exit status. True if one did.
bool say_failures(const std::map<std::string, uint64_t>& failures) {
  for (const auto& [text, count] : failures) say(fmt::format("what failed: {} ({})", text, count));
  return !failures.empty();
}

int show(const ReplayOptions& options, ReportFile& report, const JournalReplay& replay,
         const Journal& journal) {
  print_forms(options, report,
              {.text = [&](size_t most) { return to_text(replay, journal, most); },
               .json = [&] { return to_json(replay, journal); },
               .page = [&] { return to_page(replay, journal); }});
  if (replay.interrupted) return kInterrupted;
  if (say_failures(replay.failures)) return kFailed;
  return replay.differs() ? kDecidesOtherwise : kOk;
}

int replay_journal(const ReplayOptions& options, ReportFile& report,
                   const std::vector<JournalOption>& given) {
  Journal journal(options.file);
  if (!journal.has_files()) {
    show(options, report, {}, journal);
    return kFailed;
  }
  if (const uint64_t last = journal.decisions().size();
      options.limits.from >= std::max<uint64_t>(last, 1))
    throw CLI::ValidationError(
        "--from", fmt::format("nothing is left to compare: the journal has {} decisions", last));
  const PlayedInputs inputs(journal);
  const MessageScope scope(inputs.names());
  std::vector<JournalOption> recorded = inputs.options();
  leave_out_plugins(recorded);
  const MakeSide now = [&] { return side_of(options, inputs, recorded, given); };
  MakeSide former;
  if (!given.empty()) former = [&] { return side_of(options, inputs, recorded, {}); };
  try {
    return show(options, report, play_journal(journal, now, former, options.limits), journal);
  } catch (const Error& error) {
    throw Error(scope.of_user(error.what()));
  }
}

int show(const ReplayOptions& options, ReportFile& report, const FollowedRecord& record) {
  print_forms(options, report,
              {.text = [&](size_t most) { return to_text(record, most); },
               .json = [&] { return to_json(record); },
               .page = [&] { return to_page(record); }});
  if (record.replay.interrupted) return kInterrupted;
  const bool failed = say_failures(record.replay.failures);
  if (failed || record.replay.errors_in_input != 0) return kFailed;
  return record.replay.differs() ? kDecidesOtherwise : kOk;
}

void check_record_options(const CLI::App& command) {
  for (const char* name : kOfRuns)
    if (command.get_option(name)->count() != 0)
      throw CLI::ValidationError(
          name, "has no effect on a record of a cluster, whose decisions are asked one by one");
}

int replay_record(ReplayOptions& options, ReportFile& report) {
  check_record(options.file);
  RunSetup& setup = options.setup;
  setup.check();
  setup.run.cluster = options.cluster;
  setup.run.pods = options.file;
  FollowedRecord record{.path = options.file, .replay = {}};
  setup.run.hooks.open = [&](const std::string& path) { return open_record(path, record.audit); };
  config::Configuration configuration = setup.configuration();
  runtime::Plugins plugins = setup.discover(configuration);
  record.replay = follow_record({setup.run, std::move(configuration), std::move(plugins), {}},
                                {.from = options.limits.from,
                                 .until = options.limits.until,
                                 .until_time = options.limits.until_time});
  return show(options, report, record);
}

// Throws Error where the report would destroy an input.
void check_report(const ReplayOptions& options) {
  std::vector<std::string> inputs = options.cluster;
  for (const std::string& input :
       {options.file, options.setup.run.config, options.setup.run.admission_plugins.file()})
    inputs.push_back(input);
  check_report_file(options.report, inputs, *options.format);
}

std::vector<JournalOption> settings_given(const CLI::App& command) {
  std::vector<JournalOption> given = given_options(command);
  std::erase_if(given, [](const JournalOption& option) { return option.name == "FILE"; });
  return given;
}

int replay(ReplayOptions& options, const CLI::App& command) {
  const bool journal = holds_journal(options.file);
  if (!journal) check_record_options(command);
  if (journal && !options.cluster.empty())
    throw CLI::ValidationError("--cluster", "a journal has the cluster of its run");
  check_report(options);
  ReportFile report(options.report);
  ask_for_large_pages();
  prepare_pages_ahead();
  note_interrupts();
  std::signal(SIGPIPE, SIG_IGN);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.setup.run.threads));
  try {
    return journal ? replay_journal(options, report, settings_given(command))
                   : replay_record(options, report);
  } catch (const Interrupted&) {  // before there was an answer
    return kInterrupted;
  }
}

void add_options(CLI::App& command, ReplayOptions& options) {
  using output::OutputFormat;
  command
      .add_option("FILE", options.file,
                  "a journal, which berth run --record wrote; or what a cluster recorded: the "
                  "events of a watch, or an API server's audit log, as JSON lines; - is standard "
                  "input")
      ->required()
      ->option_text("FILE");
  command
      .add_option("--cluster", options.cluster,
                  "of a record: what was there before it, as kubectl prints it")
      ->option_text("FILE...");
  command
      .add_option_function<std::string>(
          "--until", [&options](const std::string& text) { take_until(options.limits, text); },
          "play up to this time of the run or of the record, or so many decisions or bindings")
      ->check(CLI::Validator(until_problem, ""))
      ->option_text("TIME|DECISIONS");
  command
      .add_option("--from", options.limits.from,
                  "play so many decisions or bindings before the first one that is compared (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("DECISIONS");
  command.add_option("--limit", options.most, "pods that the page shows (10)")
      ->check(check::whole_number(0, UINT32_MAX))
      ->option_text("N");
  add_report_option(command, options.report);
  options.setup.add_to(command);
  options.format = output::add_format(
      command, {{OutputFormat::kText, "the first difference, and the first pods that differ"},
                {OutputFormat::kWide, "with all pods"},
                {OutputFormat::kJson, ""},
                {OutputFormat::kYaml, "everything, with scores"}});
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "replay",
      "play a recorded run again, with other settings if some are given, or follow what a cluster "
      "recorded; tell the first decision that differs and the rule that decides it. Exit status 0 "
      "if none differs, 3 if some do, 1 on faults");
  auto options = std::make_shared<ReplayOptions>();
  add_options(*command, *options);
  command->callback([=, &status] {
    status = replay(*options, *command);
    end_at_once(status);
  });
}

}  // namespace berth::cli
