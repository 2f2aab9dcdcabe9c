#pragma once

// A subset of Go's text templates, as far as kube-scheduler's benchmark uses them: fields
// ({{.Index}}), calls of the benchmark's arithmetic functions ({{AddInt .Index 1}}, {{Mod .Index
// (DivideInt .Count 2)}}), comments and trim markers. Control structures, variables and pipelines
// are rejected by name.

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/error.h"

namespace berth::loadgen {

using TemplateValue = std::variant<double, std::string, bool>;
using TemplateValues = std::map<std::string, TemplateValue>;

// A feature of Go templates that is not supported; message() names it.
class UnknownTemplateAction : public Error {
 public:
  using Error::Error;
};

// A parsed template. Immutable.
class GoTemplate {
 public:
  GoTemplate() = default;
  // Throws Error with the place in `file` if the text is malformed, UnknownTemplateAction if it
  // uses something unsupported.
  GoTemplate(std::string_view text, std::string file);

  // True if the template refers to the field.
  bool uses(std::string_view field) const;
  // Fills in the values. Numbers are formatted as Go does. Throws Error for a field without a value
  // and for arithmetic on something other than numbers.
  //
  // If `field` is given, every action that depends on it yields `mark` instead of its value.
  std::string render(const TemplateValues& values, std::string_view field = {},
                     std::string_view mark = {}) const;

 private:
  friend class GoTemplateParser;
  enum class Kind { kText, kNumber, kField, kCall };
  struct Node {
    Kind kind = Kind::kText;
    std::string text;  // literal text, or the name of the field or function
    double number = 0;
    std::vector<Node> arguments;
    Place place;
  };

  static bool uses(const Node& node, std::string_view field);
  static TemplateValue evaluate(const Node& node, const TemplateValues& values);
  // Calls an arithmetic function.
  static TemplateValue call(const Node& node, const TemplateValues& values);

  std::vector<Node> parts_;
};

// The value as Go's templates print it.
std::string template_text(const TemplateValue& value);

}  // namespace berth::loadgen
