#include "cli/commands/given_options.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace berth::cli {
namespace {

constexpr auto kNotKept = std::to_array<std::string_view>({"--audit",
                                                           "--bindings",
                                                           "--check-plugins",
                                                           "--debug-plugins",
                                                           "--events",
                                                           "--evaluation",
                                                           "--help",
                                                           "--limit",
                                                           "--log-level",
                                                           "--metrics",
                                                           "--output",
                                                           "--from",
                                                           "--ranking-memory",
                                                           "--record",
                                                           "--report",
                                                           "--results",
                                                           "--scores",
                                                           "--serve-metrics",
                                                           "--summary",
                                                           "--threads",
                                                           "--until",
                                                           "--follow",
                                                           "--verify-evaluation",
                                                           "-v"});

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

}  // namespace

std::vector<JournalOption> given_options(const CLI::App& command) {
  std::vector<JournalOption> given;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::find(kNotKept, name) != kNotKept.end()) continue;
    given.push_back({name, is_flag(*option) ? std::vector<std::string>() : option->results()});
  }
  return given;
}

void replace_options(std::vector<JournalOption>& options, const std::vector<JournalOption>& by) {
  for (const JournalOption& one : by) {
    std::erase_if(options, [&](const JournalOption& former) { return former.name == one.name; });
    options.push_back(one);
  }
}

void parse_options(CLI::App& command, const std::vector<JournalOption>& options) {
  std::vector<std::string> words, unnamed;
  for (const JournalOption& option : options) {
    if (option.values.empty()) words.push_back(option.name);
    for (const std::string& value : option.values) {
      if (!option.name.starts_with('-')) {
        unnamed.push_back(value);
      } else if (value.empty()) {  // "--name=" would take the next word
        words.insert(words.end(), {option.name, value});
      } else {
        words.push_back(option.name + "=" + value);
      }
    }
  }
  words.insert(words.end(), unnamed.begin(), unnamed.end());
  std::ranges::reverse(words);
  command.parse(words);
}

}  // namespace berth::cli
