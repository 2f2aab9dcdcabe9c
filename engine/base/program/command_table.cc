#include "engine/base/program/command_table.h"

#include <algorithm>

namespace berth {
namespace {

bool is_word(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+';
  });
}

// The words of "random|name"; none if the text is anything else.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('|', begin), value.size());
    words.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  if (words.size() < 2 || !std::ranges::all_of(words, is_word)) words.clear();
  return words;
}

OptionInfo info_of(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  const bool takes_value = option.get_items_expected_max() != 0;
  if (takes_value) info.value = option.get_option_text();
  if (takes_value && info.value.empty())
    info.value = option.get_positional() ? option.get_name() : "VALUE";
  info.description = option.get_description();
  info.choices = choices_of(info.value);
  const auto names = [&](const char* what) { return info.value.find(what) != std::string::npos; };
  info.takes_file = names("FILE") || names("DIR") || names("CASE");
  return info;
}

void add(const CLI::App& app, const std::string& name, std::vector<CommandInfo>& table) {
  CommandInfo command;
  command.name = name;
  command.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    auto& list = option->nonpositional() ? command.options : command.positionals;
    list.push_back(info_of(*option));
  }
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* sub : all) command.commands.push_back(sub->get_name());
  table.push_back(std::move(command));
  for (const CLI::App* sub : all)
    add(*sub, (name.empty() ? "" : name + " ") + sub->get_name(), table);
}

}  // namespace

bool CommandInfo::takes_files() const {
  const auto takes = [](const OptionInfo& option) { return option.takes_file; };
  return std::ranges::any_of(positionals, takes) ||
         std::ranges::any_of(options, [&](const OptionInfo& option) {
           return takes(option) && option.value.ends_with("...");
         });
}

std::vector<CommandInfo> command_table(const CLI::App& app) {
  std::vector<CommandInfo> table;
  add(app, "", table);
  return table;
}

}  // namespace berth
