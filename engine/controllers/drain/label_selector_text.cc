#include "engine/controllers/drain/label_selector_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// The parts between commas that are not in parentheses.
std::vector<std::string_view> split_requirements(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') inside = true;
    if (text[i] == ')') inside = false;
    if (text[i] != ',' || inside) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

[[noreturn]] void refuse(std::string_view part) {
  throw Error(fmt::format(
      "expected KEY, !KEY, KEY=VALUE, KEY!=VALUE, \"KEY in (VALUES)\" or \"KEY notin (VALUES)\" in "
      "a label selector, found \"{}\"",
      part));
}

bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t=!<>(),") == text.npos;
}

// "KEY in (a, b)". False: the part is none.
bool read_set(std::string_view part, model::Requirement& to) {
  const size_t open = part.find('(');
  if (open == part.npos) return false;
  if (part.back() != ')') refuse(part);
  const std::string_view head = trimmed(part.substr(0, open));
  const size_t blank = head.find_first_of(kBlanks);
  if (blank == head.npos) refuse(part);
  const std::string_view word = trimmed(head.substr(blank));
  if (word != "in" && word != "notin") refuse(part);
  to.key = head.substr(0, blank);
  to.op = word == "in" ? "In" : "NotIn";
  for (const std::string_view value :
       split_requirements(part.substr(open + 1, part.size() - open - 2))) {
    if (!value.empty() && !is_word(value)) refuse(part);
    to.values.emplace_back(value);
  }
  return true;
}

model::Requirement read_requirement(std::string_view part) {
  model::Requirement made;
  if (read_set(part, made)) return made;
  if (part.starts_with('!') && is_word(trimmed(part.substr(1)))) {
    made.key = trimmed(part.substr(1));
    made.op = "DoesNotExist";
    return made;
  }
  const size_t equals = part.find('=');
  if (equals == part.npos) {
    if (!is_word(part)) refuse(part);
    made.key = part;
    made.op = "Exists";
    return made;
  }
  const bool differs = equals != 0 && part[equals - 1] == '!';
  made.key = trimmed(part.substr(0, equals - (differs ? 1 : 0)));
  made.op = differs ? "NotIn" : "In";
  std::string_view value = part.substr(equals + 1);
  if (!differs && value.starts_with('=')) value.remove_prefix(1);
  value = trimmed(value);
  if (!is_word(made.key) || (!value.empty() && !is_word(value))) refuse(part);
  made.values.emplace_back(value);
  return made;
}

}  // namespace

model::LabelSelector parse_label_selector(std::string_view text) {
  model::LabelSelector selector;
  if (trimmed(text).empty()) return selector;
  for (const std::string_view part : split_requirements(text))
    selector.match_expressions.push_back(read_requirement(part));
  return selector;
}

}  // namespace berth::controllers
