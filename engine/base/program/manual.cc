#include "engine/base/program/manual.h"

#include <fmt/format.h>

#include "engine/base/program/program.h"

namespace berth {
namespace {

// Text that roff prints as it is.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string names_of(const OptionInfo& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += fmt::format("{}\\fB{}\\fR", text.empty() ? "" : ", ", plain(name));
  if (option.value.empty()) return text;
  return text + (text.empty() ? "" : " ") + "\\fI" + plain(option.value) + "\\fR";
}

std::string option_list(const CommandInfo& command) {
  std::string text;
  for (const auto* list : {&command.positionals, &command.options})
    for (const OptionInfo& option : *list)
      text += fmt::format(".TP\n{}\n{}\n", names_of(option), plain(option.description));
  return text;
}

}  // namespace

std::string manual_page(const std::string& program, const std::vector<CommandInfo>& table) {
  const CommandInfo& all = table.front();
  std::string text = fmt::format(".TH {} 1\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", plain(program),
                                 plain(program), plain(all.description));
  text += fmt::format(".B {}\n.I COMMAND\n[\\fIOPTION\\fR...]\n.SH OPTIONS\n", plain(program));
  text += option_list(all) + ".SH COMMANDS\n";
  for (const CommandInfo& command : table) {
    if (command.name.empty()) continue;
    text += fmt::format(".SS {} {}\n{}\n{}", plain(program), plain(command.name),
                        plain(command.description), option_list(command));
  }
  text += fmt::format(
      ".SH EXIT STATUS\n.TP\n{}\nAll well.\n.TP\n{}\nSomething failed.\n.TP\n{}\nThe command line "
      "is wrong.\n.TP\n{}\nA signal ended the program.\n",
      kOk, kFailed, kUsage, kInterrupted);
  return text;
}

}  // namespace berth
