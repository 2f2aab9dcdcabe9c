#include "engine/base/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/command_table.h"
#include "engine/base/program/completion.h"
#include "engine/base/program/manual.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/version.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/suggestion.h"

namespace berth {
namespace {

// Output may still be in a buffer: a full disk shows only when it is flushed.
int finished(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  say(std::string("standard output: cannot be written: ") + std::strerror(errno));
  return kFailed;
}

// The command that the arguments name last: "run" of `berth run --seed 1`.
const CLI::App* command_of(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

// "berth plugin list".
std::string full_name(const CLI::App* command) {
  const CLI::App* parent = command->get_parent();
  return (parent == nullptr ? "" : full_name(parent) + " ") + command->get_name();
}

std::vector<std::string> names_of_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string suggestion(const std::string& typed, const std::vector<std::string>& words) {
  const std::string nearest = nearest_word(typed, words);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

// The last word of "berth-bench sweep", and of "berth-bench".
std::string word_of(const std::string& command) {
  return command.substr(command.find_last_of(" -") + 1);
}

// A command of another program is meant if it has the very name, or if no own one is similar.
std::string suggested_command(const std::string& typed, const std::vector<std::string>& own,
                              const std::vector<std::string>& elsewhere) {
  const auto called = [&](const std::string& word) {
    const auto at = std::ranges::find(elsewhere, word, word_of);
    return at == elsewhere.end() ? std::string() : "; did you mean " + *at + "?";
  };
  if (const std::string other = called(typed); !other.empty()) return other;
  if (const std::string similar = suggestion(typed, own); !similar.empty()) return similar;
  std::vector<std::string> words;
  for (const std::string& command : elsewhere) words.push_back(word_of(command));
  return called(nearest_word(typed, words));
}

// Describes the error of an argument that no command takes.
std::string unknown_argument(const CLI::App& command, const std::string& argument,
                             const std::vector<std::string>& elsewhere) {
  if (argument.size() > 1 && argument.front() == '-') {
    const std::string option = argument.substr(0, argument.find('='));
    return "unknown option " + option + suggestion(option, names_of_options(command));
  }
  const std::vector<std::string> commands = names_of_commands(command);
  if (commands.empty()) return "unexpected argument \"" + argument + "\"";
  const bool is_program = command.get_parent() == nullptr;
  return "there is no command \"" + argument + "\"" +
         suggested_command(argument, commands, is_program ? elsewhere : std::vector<std::string>());
}

bool is_without_command(const CLI::App& command) {
  return command.get_subcommands().empty() && !names_of_commands(command).empty();
}

// Describes the error of an option that is given without its value, with a value too many, or too
// often, of which the parser speaks in types and numbers. Empty for other problems.
std::string wrong_number_of_values(const CLI::App& command, const CLI::ParseError& problem) {
  const std::string text = problem.what();
  const bool converts = dynamic_cast<const CLI::ConversionError*>(&problem) != nullptr;
  if (!converts && dynamic_cast<const CLI::ArgumentMismatch*>(&problem) == nullptr) return {};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->get_items_expected_max() == 0) {
      const std::string value = name + " = ";  // of a flag
      if (const size_t at = text.find(value); converts && at != std::string::npos)
        return fmt::format("{}: expected no value, found \"{}\"", name,
                           text.substr(at + value.size()));
    } else if (!converts && text.starts_with(name + ":")) {
      return option->count() > 1
                 ? name + ": expected once, found more often"
                 : fmt::format("{}: expected {}, found nothing", name, option->get_option_text());
    }
  }
  return {};
}

// Chooses the message for a wrong command line. An unknown option comes first, because it explains
// other problems (its value, and the required option that it was meant to be); then an unknown
// command or argument.
std::string problem_with(const CLI::App& command, const CLI::ParseError& problem,
                         const std::vector<std::string>& elsewhere) {
  const std::vector<std::string> extras = command.remaining();
  for (const std::string& extra : extras)
    if (extra.size() > 1 && extra.front() == '-')
      return unknown_argument(command, extra, elsewhere);
  if (!extras.empty()) return unknown_argument(command, extras.front(), elsewhere);
  // The words of the parser for this begin with a capital and name no command.
  if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr && is_without_command(command))
    return fmt::format("expected a command: {}", fmt::join(names_of_commands(command), ", "));
  if (std::string values = wrong_number_of_values(command, problem); !values.empty()) return values;
  // "--speed requires --pace", "--listen excludes --output".
  std::string text = problem.what();
  for (const char* verb : {" requires ", " excludes "})
    if (const size_t at = text.find(verb); text.starts_with("--") && at != std::string::npos)
      text.insert(at, ":");
  return text;
}

// The commands that print what shells and man read, made from the parser itself.
void add_documentation(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand(
      "completion", "print the script with which a shell completes command lines of this program");
  completion->add_option("SHELL", *shell, "the shell that reads the script")
      ->check(check::one_of({"bash", "zsh", "fish"}))
      ->option_text("bash|zsh|fish")
      ->required();
  completion->callback([&app, shell] {
    const auto make = *shell == "bash"  ? bash_completion
                      : *shell == "zsh" ? zsh_completion
                                        : fish_completion;
    const std::string script = make(app.get_name(), command_table(app));
    std::fwrite(script.data(), 1, script.size(), stdout);
  });
  app.add_subcommand("manual", "print the manual page of this program, for man -l -")
      ->callback([&app] {
        const std::string page = manual_page(app.get_name(), command_table(app));
        std::fwrite(page.data(), 1, page.size(), stdout);
      });
}

// Requires: a printable problem, apart from line breaks before details.
int wrong_usage(const CLI::App& command, const std::string& problem) {
  const std::string name = full_name(&command);
  say_as(name, problem + "\n" + name + " --help describes its use");
  return kUsage;
}

}  // namespace

std::string_view program_version() { return BERTH_VERSION; }

int run_program(CLI::App& app, int argc, char** argv, const int& status,
                const std::vector<std::string>& elsewhere) {
  set_program_name(app.get_name());
  app.set_version_flag("--version", app.get_name() + " " + std::string(program_version()),
                       "Print the version of this program and exit");
  add_documentation(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const CLI::App* command = command_of(&app);
    // `frobnicate --help` asks for the help of a command that does not exist.
    const bool no_such_command = command == &app && !command->remaining().empty();
    if (error.get_exit_code() != 0 || no_such_command)
      return wrong_usage(*command, printable(problem_with(*command, error, elsewhere)));
    app.exit(error);  // prints the help
    return finished(kOk);
  } catch (const UsageError& error) {
    return wrong_usage(*command_of(&app), error.what());
  } catch (const std::exception& error) {
    // An Error is printable, and has line breaks of its own.
    say(error.what());
    return kFailed;
  }
  return finished(status);
}

}  // namespace berth
