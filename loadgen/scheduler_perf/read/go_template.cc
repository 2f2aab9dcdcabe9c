#include "loadgen/scheduler_perf/read/go_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace berth::loadgen {
namespace {

// Up to here every integer is exact as a double.
constexpr double kMostWhole = 9007199254740992;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr size_t kMostNesting = 32;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Function {
  std::string_view name;
  double (*apply)(double, double);
  bool whole;      // the result is truncated to an integer
  bool any_count;  // takes any number of arguments instead of two
  double start;    // initial value of the fold over the arguments
};

constexpr Function kFunctions[] = {
    {"AddInt", [](double a, double b) { return a + b; }, true, true, 0},
    {"AddFloat", [](double a, double b) { return a + b; }, false, true, 0},
    {"MultiplyInt", [](double a, double b) { return a * b; }, true, true, 1},
    {"MultiplyFloat", [](double a, double b) { return a * b; }, false, true, 1},
    {"SubtractInt", [](double a, double b) { return a - b; }, true, false, 0},
    {"SubtractFloat", [](double a, double b) { return a - b; }, false, false, 0},
    {"DivideInt", [](double a, double b) { return a / b; }, true, false, 0},
    {"DivideFloat", [](double a, double b) { return a / b; }, false, false, 0},
    {"Mod", [](double a, double b) { return std::fmod(std::trunc(a), std::trunc(b)); }, true, false,
     0},
};

const Function* find_function(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

}  // namespace

class GoTemplateParser {
 public:
  using Node = GoTemplate::Node;
  using Kind = GoTemplate::Kind;

  GoTemplateParser(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  std::vector<Node> parse() {
    std::vector<Node> parts;
    while (at_ < text_.size()) {
      const size_t open = std::min(text_.find("{{", at_), text_.size());
      std::string_view plain = text_.substr(at_, open - at_);
      if (trim_next_) plain.remove_prefix(std::min(plain.find_first_not_of(kBlanks), plain.size()));
      const bool trim = text_.substr(open).starts_with("{{- ");
      if (trim) plain = plain.substr(0, plain.find_last_not_of(kBlanks) + 1);
      if (!plain.empty()) parts.push_back({Kind::kText, std::string(plain), 0, {}, {}});
      if (open == text_.size()) break;
      at_ = open + (trim ? 3 : 2);
      action(open, parts);
    }
    return parts;
  }

 private:
  [[noreturn]] void fail(size_t at, std::string message) const {
    throw Error(place(at), std::move(message));
  }

  Place place(size_t at) const {
    Place place;
    place.file = file_;
    const std::string_view before = text_.substr(0, at);
    place.line = static_cast<uint32_t>(1 + std::ranges::count(before, '\n'));
    const size_t line = before.rfind('\n');
    place.column = static_cast<uint32_t>(at - (line == before.npos ? 0 : line + 1) + 1);
    return place;
  }

  void action(size_t open, std::vector<Node>& parts) {
    trim_next_ = false;
    skip_blanks();
    if (text_.substr(at_).starts_with("/*")) {
      const size_t end = text_.find("*/", at_);
      if (end == text_.npos) fail(open, "a comment that does not end");
      at_ = end + 2;
      return close(open);
    }
    Node node = expression(0, true);
    close(open);
    parts.push_back(std::move(node));
  }

  // Parses the end of an action, which may trim the text that follows.
  void close(size_t open) {
    const size_t before = at_;
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("-}}") && at_ > before) {
      trim_next_ = true;
      at_ += 3;
    } else if (rest.starts_with("}}")) {
      at_ += 2;
    } else if (rest.empty()) {
      fail(open, "an action that does not end: }} is missing");
    } else if (rest.front() == '|' || rest.starts_with(":=")) {
      throw UnknownTemplateAction(place(at_), fmt::format("\"{}\" in a template", rest.front()));
    } else {
      fail(at_, "expected }} at the end of the action");
    }
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  std::string word() {
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    std::string result(text_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

  // Parses one operand. A function takes arguments only if it is the first in its action or
  // parentheses.
  Node expression(size_t depth, bool arguments) {
    if (depth > kMostNesting) fail(at_, "parentheses are nested too deeply");
    skip_blanks();
    const size_t begin = at_;
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '(') {
      ++at_;
      Node inner = expression(depth + 1, true);
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] != ')') fail(begin, "a parenthesis that is not closed");
      ++at_;
      return inner;
    }
    if (c == '.') {
      ++at_;
      Node field{Kind::kField, word(), 0, {}, place(begin)};
      if (field.text.empty()) throw UnknownTemplateAction(field.place, "\".\" in a template");
      return field;
    }
    if ((c >= '0' && c <= '9') || c == '-') return number(begin);
    if (c == '"') return quoted(begin);
    if (c == '$') throw UnknownTemplateAction(place(begin), "variables in a template");
    return function(begin, depth, arguments);
  }

  Node number(size_t begin) {
    const size_t end = std::min(text_.find_first_not_of("0123456789.-", at_), text_.size());
    const std::string digits(text_.substr(at_, end - at_));
    char* stop = nullptr;
    const double value = std::strtod(digits.c_str(), &stop);
    if (stop != digits.c_str() + digits.size() || digits == "-") fail(begin, "expected a number");
    at_ = end;
    return {Kind::kNumber, {}, value, {}, place(begin)};
  }

  Node quoted(size_t begin) {
    const size_t end = text_.find_first_of("\"\\\n", at_ + 1);
    if (end == text_.npos || text_[end] != '"')
      fail(begin, "a string must end on its line, and have no backslash");
    Node node{Kind::kText, std::string(text_.substr(at_ + 1, end - at_ - 1)), 0, {}, place(begin)};
    at_ = end + 1;
    return node;
  }

  Node function(size_t begin, size_t depth, bool arguments) {
    Node call{Kind::kCall, word(), 0, {}, place(begin)};
    if (call.text.empty()) fail(begin, "expected a field, a number, a string or a function");
    const Function* known = find_function(call.text);
    if (known == nullptr)
      throw UnknownTemplateAction(call.place, fmt::format("\"{}\" in a template", call.text));
    while (arguments) {
      skip_blanks();
      const std::string_view rest = text_.substr(at_);
      if (rest.empty() || rest.starts_with("}}") || rest.starts_with("-}}") ||
          std::string_view(")|").find(rest.front()) != std::string_view::npos)
        break;
      call.arguments.push_back(expression(depth + 1, false));
    }
    if (!known->any_count && call.arguments.size() != 2)
      fail(begin,
           fmt::format("{} takes two arguments, and has {}", call.text, call.arguments.size()));
    return call;
  }

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
  bool trim_next_ = false;
};

GoTemplate::GoTemplate(std::string_view text, std::string file)
    : parts_(GoTemplateParser(text, std::move(file)).parse()) {}

bool GoTemplate::uses(const Node& node, std::string_view field) {
  if (node.kind == Kind::kField && node.text == field) return true;
  return std::ranges::any_of(node.arguments,
                             [&](const Node& argument) { return uses(argument, field); });
}

bool GoTemplate::uses(std::string_view field) const {
  return std::ranges::any_of(parts_, [&](const Node& part) { return uses(part, field); });
}

TemplateValue GoTemplate::evaluate(const Node& node, const TemplateValues& values) {
  switch (node.kind) {
    case Kind::kText:
      return node.text;
    case Kind::kNumber:
      return node.number;
    case Kind::kCall:
      return call(node, values);
    case Kind::kField:
      break;
  }
  const auto found = values.find(node.text);
  if (found == values.end())
    throw Error(node.place, fmt::format("there is no value for .{}: templateParams has none, and "
                                        "only .Index and .Count are given",
                                        node.text));
  return found->second;
}

TemplateValue GoTemplate::call(const Node& node, const TemplateValues& values) {
  const Function& function = *find_function(node.text);
  std::vector<double> numbers;
  for (const Node& argument : node.arguments) {
    const TemplateValue value = evaluate(argument, values);
    if (!std::holds_alternative<double>(value))
      throw Error(argument.place, fmt::format("{} takes numbers, and \"{}\" is none", node.text,
                                              template_text(value)));
    numbers.push_back(std::get<double>(value));
  }
  double result = function.start;
  if (function.any_count) {
    for (const double number : numbers) result = function.apply(result, number);
  } else {
    result = function.apply(numbers[0], numbers[1]);
  }
  if (!std::isfinite(result) || std::abs(result) > kMostWhole)
    throw Error(node.place, fmt::format("{} gives no number that can be used here", node.text));
  return function.whole ? std::trunc(result) : result;
}

std::string template_text(const TemplateValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::get<double>(value);
  if (number == std::trunc(number) && std::abs(number) <= kMostWhole)
    return std::to_string(static_cast<int64_t>(number));
  return fmt::format("{}", number);
}

std::string GoTemplate::render(const TemplateValues& values, std::string_view field,
                               std::string_view mark) const {
  std::string out;
  for (const Node& part : parts_) {
    if (part.kind == Kind::kText && part.place.line == 0) {
      out += part.text;
      continue;
    }
    if (uses(part, field)) {
      out += mark;
      continue;
    }
    const std::string text = template_text(evaluate(part, values));
    // Upstream renders with html/template, which would escape these characters.
    if (text.find_first_of("<>&'\"+") != text.npos)
      throw Error(part.place,
                  fmt::format("the value \"{}\" has a character that Go's html/template "
                              "escapes",
                              text));
    out += text;
  }
  return out;
}

}  // namespace berth::loadgen
