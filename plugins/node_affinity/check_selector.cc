#include "plugins/node_affinity/check_selector.h"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/label_names.hpp"

namespace berth::plugins {
namespace {

std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(separator)) + text;
  return all;
}

std::string quoted(std::string_view text) { return sdk::concat("\"", text, "\""); }

// Upstream prints an empty list as null.
std::string listed(const std::vector<std::string>& values) {
  if (values.empty()) return "null";
  std::vector<std::string> all;
  for (const std::string& value : values) all.push_back(quoted(value));
  return sdk::concat("[", joined(all, ","), "]");
}

void invalid(const sdk::Config& at, std::string_view value, std::string_view why,
             std::string_view below = {}) {
  at.error(sdk::concat("Invalid value: ", value, ": ", why), below);
}

bool is_integer(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> texts(const sdk::Config& list) {
  std::vector<std::string> all;
  for (const sdk::Config& each : list.elements()) all.emplace_back(each.text());
  return all;
}

void check_number_of_values(const sdk::Config& at, std::string_view op,
                            const std::vector<std::string>& values) {
  if (op == "In" || op == "NotIn") {
    if (values.empty())
      invalid(at, listed(values), "for 'in', 'notin' operators, values set can't be empty");
  } else if (op == "Gt" || op == "Lt") {
    if (values.size() != 1)
      invalid(at, listed(values), "for 'Gt', 'Lt' operators, exactly one value is required");
    for (size_t i = 0; i < values.size(); ++i)
      if (!is_integer(values[i]))
        invalid(at, quoted(values[i]), "for 'Gt', 'Lt' operators, the value must be an integer",
                sdk::concat("[", i, "]"));
  } else if (!values.empty()) {
    invalid(at, listed(values), "values set must be empty for exists and does not exist");
  }
}

void check_label(const sdk::Config& requirement) {
  const std::string key(requirement["key"].text());
  const std::string op(requirement["operator"].text());
  const std::vector<std::string> values = texts(requirement["values"]);
  if (op != "In" && op != "NotIn" && op != "Exists" && op != "DoesNotExist" && op != "Gt" &&
      op != "Lt")
    return requirement["operator"].error(
        sdk::concat("Unsupported value: ", quoted(op),
                    R"(: supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")"));
  if (const auto why = sdk::qualified_name_problems(key); !why.empty())
    invalid(requirement["key"], quoted(key), joined(why, "; "));
  check_number_of_values(requirement["values"], op, values);
  for (size_t i = 0; i < values.size(); ++i)
    if (const auto why = sdk::label_value_problems(values[i]); !why.empty())
      invalid(requirement["values"], quoted(values[i]), joined(why, "; "),
              sdk::concat("[", i, "]"));
}

void check_field(const sdk::Config& requirement) {
  requirement["key"].text();
  const std::string op(requirement["operator"].text());
  const std::vector<std::string> values = texts(requirement["values"]);
  if (op != "In" && op != "NotIn")
    return requirement["operator"].error(
        sdk::concat("Unsupported value: ", quoted(op), R"(: supported values: "In", "NotIn")"));
  if (values.size() != 1) invalid(requirement["values"], listed(values), "must have one element");
}

}  // namespace

void check_node_selector(const sdk::Config& selector) {
  for (const sdk::Config& term : selector["nodeSelectorTerms"].elements())
    check_node_selector_term(term);
}

void check_node_selector_term(const sdk::Config& term) {
  if (!term.object()) return;
  for (const sdk::Config& requirement : term["matchExpressions"].elements())
    if (requirement.object()) check_label(requirement);
  for (const sdk::Config& requirement : term["matchFields"].elements())
    if (requirement.object()) check_field(requirement);
}

}  // namespace berth::plugins
