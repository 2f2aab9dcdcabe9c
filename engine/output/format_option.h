#pragma once

// The option -o of all commands that print objects or a table, and the only place that decides
// which format is printed. A command names the formats that it has; any other is refused with that
// list.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace berth::output {

enum class OutputFormat : uint8_t {
  kText,  // a table or a page for people, cut where it would be long
  kWide,  // the same with all rows and more columns
  kJson,
  kYaml,  // the document of kJson
  kName,  // KIND/NAME on each line, as kubectl prints it
};

// The text that a command prints, in each format that it has. Each function returns the whole text,
// with its final line feed. Of JSON and YAML, a command that has only one gets the other as the
// same document; several documents become several, separated by "---" in YAML.
struct Forms {
  std::function<std::string()> text = nullptr;
  std::function<std::string()> wide = nullptr;
  std::function<std::string()> json = nullptr;
  std::function<std::string()> yaml = nullptr;
  std::function<std::vector<std::string>()> names = nullptr;  // KIND/NAME each, as they are
};

class FormatOption {
 public:
  struct Choice {
    OutputFormat format = OutputFormat::kText;
    // For the help: what this format shows. Empty: the same as the next choice.
    std::string what;
  };

  // The first choice is the default. Requires: at least one; each format at most once.
  explicit FormatOption(std::vector<Choice> choices) : choices_(std::move(choices)) {}

  // Adds -o, --output. This must outlive the parsing of the command line.
  void add_to(CLI::App& command);

  OutputFormat format() const { return choices_[chosen_].format; }
  bool given() const { return given_; }  // by the user
  // The name of the format: "json".
  std::string name() const;

  // The text in the chosen format. Requires: `forms` has it, or JSON for YAML or the reverse.
  std::string text(const Forms& forms) const;
  // Writes it to standard output. A failure to write shows when the program ends (run_program).
  void print(const Forms& forms) const;

 private:
  std::vector<Choice> choices_;
  size_t chosen_ = 0;
  bool given_ = false;
};

// Adds -o with these choices to the command. The option outlives the parsing if the command's
// callback holds it.
std::shared_ptr<const FormatOption> add_format(CLI::App& command,
                                               std::vector<FormatOption::Choice> choices);

}  // namespace berth::output
