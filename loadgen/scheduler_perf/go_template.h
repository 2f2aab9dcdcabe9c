#pragma once

// The part of Go's templates that kube-scheduler's benchmark makes objects with: fields
// ({{.Index}}) and calls of its arithmetic ({{AddInt .Index 1}}, {{Mod .Index (DivideInt .Count
// 2)}}), with comments and trimmed blanks. Control structures, variables and pipelines are refused
// by name.

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/error.h"

namespace berth::loadgen {

using TemplateValue = std::variant<double, std::string, bool>;
using TemplateValues = std::map<std::string, TemplateValue>;

// Something of Go's templates that is not built; message() names it.
class UnknownTemplateAction : public Error {
 public:
  using Error::Error;
};

class GoTemplate {
 public:
  GoTemplate() = default;
  // Throws Error with the place in `file` for what is malformed.
  GoTemplate(std::string_view text, std::string file);

  bool uses(std::string_view field) const;
  // The text with all values put in. Throws Error for a field without a value and for arithmetic
  // with what is no number. Numbers are written as Go does. Where `field` takes part `mark` stands
  // in place of the value.
  std::string render(const TemplateValues& values, std::string_view field = {},
                     std::string_view mark = {}) const;

 private:
  friend class GoTemplateParser;
  enum class Kind { kText, kNumber, kField, kCall };
  struct Node {
    Kind kind = Kind::kText;
    std::string text;  // of a field or function: its name
    double number = 0;
    std::vector<Node> arguments;
    Place place;
  };

  static bool uses(const Node& node, std::string_view field);
  static TemplateValue evaluate(const Node& node, const TemplateValues& values);
  static TemplateValue call(const Node& node, const TemplateValues& values);

  std::vector<Node> parts_;
};

// As Go prints it.
std::string template_text(const TemplateValue& value);

}  // namespace berth::loadgen
