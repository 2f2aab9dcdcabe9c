#include "engine/base/program/completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text/joined.h"

namespace berth {
namespace {

// A name that shells take for a function: "berth_bench".
std::string identifier(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

// The lines of a `case` that follows the commands of a command line: "config convert" is in the
// variable `command` behind its two words.
std::string walk_cases(const std::vector<CommandInfo>& table) {
  std::string text;
  for (const CommandInfo& command : table) {
    if (command.name.empty()) continue;
    const size_t space = command.name.rfind(' ');
    const std::string parent = space == std::string::npos ? "" : command.name.substr(0, space);
    const std::string own = command.name.substr(space == std::string::npos ? 0 : space + 1);
    text += fmt::format("      \"{}/{}\") command=\"{}\" ;;\n", parent, own, command.name);
  }
  return text;
}

// A line for each option with a value: what `choices` and `files` make of it.
template <typename Choices>
std::string value_cases(const std::vector<CommandInfo>& table, Choices choices,
                        const std::string& files) {
  std::string text;
  for (const CommandInfo& command : table) {
    for (const OptionInfo& option : command.options) {
      if (option.value.empty() || option.value.starts_with('[')) continue;
      std::string names;
      for (const std::string& name : option.names)
        names += fmt::format("{}\"{}/{}\"", names.empty() ? "" : "|", command.name, name);
      const std::string action = !option.choices.empty() ? choices(option.choices)
                                 : option.takes_file     ? files
                                                         : ":";
      text += fmt::format("    {}) {}; return ;;\n", names, action);
    }
  }
  return text;
}

std::vector<std::string> option_names(const CommandInfo& command) {
  std::vector<std::string> names;
  for (const OptionInfo& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// The words that may stand where no option does.
std::vector<std::string> plain_words(const CommandInfo& command) {
  std::vector<std::string> words = command.commands;
  for (const OptionInfo& positional : command.positionals)
    words.insert(words.end(), positional.choices.begin(), positional.choices.end());
  return words;
}

// In single quotes, for any shell.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The text up to the first semicolon or sentence, which fits in a list.
std::string summary(const std::string& text) {
  const size_t end = std::min({text.find("; "), text.find(". "), text.find(" ("), text.size()});
  return text.substr(0, end);
}

// For zsh's _describe: a colon ends the name.
std::string described(const std::string& name, const std::string& description) {
  std::string text;
  for (const char c : name) text += c == ':' ? std::string("\\:") : std::string(1, c);
  return in_quotes(text + ":" + summary(description));
}

std::string zsh_lists(const std::vector<CommandInfo>& table) {
  std::string text;
  for (const CommandInfo& command : table) {
    std::string options, words;
    for (const OptionInfo& option : command.options)
      for (const std::string& name : option.names)
        options += " " + described(name, option.description);
    for (const std::string& name : command.commands) {
      const std::string full = command.name.empty() ? name : command.name + " " + name;
      const auto at = std::ranges::find(table, full, &CommandInfo::name);
      words += " " + described(name, at->description);
    }
    for (const OptionInfo& positional : command.positionals)
      for (const std::string& choice : positional.choices) words += " " + in_quotes(choice);
    text += fmt::format("    \"{}\") options=({}) words_here=({}) files={} ;;\n", command.name,
                        options, words, command.takes_files() ? 1 : 0);
  }
  return text;
}

}  // namespace

std::string bash_completion(const std::string& program, const std::vector<CommandInfo>& table) {
  const auto choices = [](const std::vector<std::string>& words) {
    return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))", joined(words, " "));
  };
  const std::string name = identifier(program);
  std::string lists;
  for (const CommandInfo& command : table)
    lists += fmt::format("    \"{}\") options=\"{}\" words=\"{}\" files={} ;;\n", command.name,
                         joined(option_names(command), " "), joined(plain_words(command), " "),
                         command.takes_files() ? 1 : 0);
  return fmt::format(
      R"(# Completion of {0} for bash. Read it with: source <({0} completion bash)
_{1}() {{
  local command="" options="" words="" files=0 i
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD - 1]}}"
  # The words of --option=value are three.
  if [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous="${{COMP_WORDS[COMP_CWORD - 2]}}"
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command/${{COMP_WORDS[i]}}" in
{2}    esac
  done
  COMPREPLY=()
  case "$command/$previous" in
{3}  esac
  case "$command" in
{4}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$current"))
  if ((files)); then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -F _{1} {0}
)",
      program, name, walk_cases(table),
      value_cases(table, choices,
                  "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))"),
      lists);
}

std::string zsh_completion(const std::string& program, const std::vector<CommandInfo>& table) {
  const auto choices = [](const std::vector<std::string>& words) {
    return fmt::format("compadd -- {}", joined(words, " "));
  };
  return fmt::format(
      R"(#compdef {0}
# Completion of {0} for zsh. Read it with: source <({0} completion zsh)
_{1}() {{
  local command="" i files=0
  local -a options words_here
  local previous="${{words[CURRENT-1]}}"
  if [[ ${{words[CURRENT]}} == --*=* ]]; then
    previous="${{words[CURRENT]%%=*}}"
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; ++i)); do
    case "$command/${{words[i]}}" in
{2}    esac
  done
  case "$command/$previous" in
{3}  esac
  case "$command" in
{4}  esac
  if [[ ${{words[CURRENT]}} == -* ]]; then
    _describe option options
    return
  fi
  (( ${{#words_here}} )) && _describe command words_here
  (( files )) && _files
}}
if [[ "${{funcstack[1]}}" == _{1} ]]; then
  _{1} "$@"
else
  compdef _{1} {0}
fi
)",
      program, identifier(program), walk_cases(table), value_cases(table, choices, "_files"),
      zsh_lists(table));
}

std::string fish_completion(const std::string& program, const std::vector<CommandInfo>& table) {
  const std::string function = "__" + identifier(program) + "_command";
  std::string text = fmt::format(
      "# Completion of {0} for fish. Read it with: {0} completion fish | source\n"
      "function {1}\n  set -l command ''\n  for word in (commandline -opc)[2..-1]\n"
      "    switch \"$command/$word\"\n",
      program, function);
  for (const CommandInfo& command : table) {
    if (command.name.empty()) continue;
    const size_t space = command.name.rfind(' ');
    std::string path = command.name;
    path.replace(space == std::string::npos ? 0 : space, space == std::string::npos ? 0 : 1, "/");
    text += fmt::format("      case {}\n        set command {}\n", in_quotes(path),
                        in_quotes(command.name));
  }
  text += "    end\n  end\n  echo -- \"$command\"\nend\n";
  text += fmt::format("complete -c {} -f\n", program);
  for (const CommandInfo& command : table) {
    const std::string line =
        fmt::format("complete -c {} -n 'test \"$({})\" = \"{}\"'", program, function, command.name);
    for (const std::string& name : command.commands) {
      const std::string full = command.name.empty() ? name : command.name + " " + name;
      const auto at = std::ranges::find(table, full, &CommandInfo::name);
      text += fmt::format("{} -a {} -d {}\n", line, name, in_quotes(summary(at->description)));
    }
    for (const OptionInfo& positional : command.positionals)
      if (!positional.choices.empty())
        text += fmt::format("{} -a {}\n", line, in_quotes(joined(positional.choices, " ")));
    if (command.takes_files()) text += line + " -F\n";
    for (const OptionInfo& option : command.options) {
      text += line;
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty())
        text += " -x -a " + in_quotes(joined(option.choices, " "));
      else if (option.takes_file)
        text += " -r -F";
      else if (!option.value.empty() && !option.value.starts_with('['))
        text += " -x";
      text += " -d " + in_quotes(summary(option.description)) + "\n";
    }
  }
  return text;
}

}  // namespace berth
