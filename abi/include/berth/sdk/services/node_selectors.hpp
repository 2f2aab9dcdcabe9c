#pragma once

// Checks of the node selectors in arguments, which the service berth.selectors reads in init: a
// plugin calls them in validate. The rules and words are kube-scheduler's
// (k8s.io/component-helpers/scheduling/corev1/nodeaffinity).

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "berth/sdk/config.hpp"
#include "berth/sdk/kubernetes/label_names.hpp"
#include "berth/sdk/text.hpp"

namespace berth::sdk {

namespace internal::node_selectors {

inline std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(separator)) + text;
  return all;
}

inline std::string quoted(std::string_view text) { return concat("\"", text, "\""); }

// Upstream prints an empty list as null.
inline std::string listed(const std::vector<std::string>& values) {
  if (values.empty()) return "null";
  std::vector<std::string> all;
  for (const std::string& value : values) all.push_back(quoted(value));
  return concat("[", joined(all, ","), "]");
}

inline void invalid(const Config& at, std::string_view value, std::string_view why,
                    std::string_view below = {}) {
  at.error(concat("Invalid value: ", value, ": ", why), below);
}

inline bool is_integer(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

inline std::vector<std::string> texts(const Config& list) {
  std::vector<std::string> all;
  for (const Config& each : list.elements()) all.emplace_back(each.text());
  return all;
}

inline void check_number_of_values(const Config& at, std::string_view op,
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
                concat("[", i, "]"));
  } else if (!values.empty()) {
    invalid(at, listed(values), "values set must be empty for exists and does not exist");
  }
}

inline void check_label(const Config& requirement) {
  const std::string key(requirement["key"].text());
  const std::string op(requirement["operator"].text());
  const std::vector<std::string> values = texts(requirement["values"]);
  if (op != "In" && op != "NotIn" && op != "Exists" && op != "DoesNotExist" && op != "Gt" &&
      op != "Lt")
    return requirement["operator"].error(
        concat("Unsupported value: ", quoted(op),
               R"(: supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")"));
  if (const auto why = qualified_name_problems(key); !why.empty())
    invalid(requirement["key"], quoted(key), joined(why, "; "));
  check_number_of_values(requirement["values"], op, values);
  for (size_t i = 0; i < values.size(); ++i)
    if (const auto why = label_value_problems(values[i]); !why.empty())
      invalid(requirement["values"], quoted(values[i]), joined(why, "; "), concat("[", i, "]"));
}

inline void check_field(const Config& requirement) {
  requirement["key"].text();
  const std::string op(requirement["operator"].text());
  const std::vector<std::string> values = texts(requirement["values"]);
  if (op != "In" && op != "NotIn")
    return requirement["operator"].error(
        concat("Unsupported value: ", quoted(op), R"(: supported values: "In", "NotIn")"));
  if (values.size() != 1) invalid(requirement["values"], listed(values), "must have one element");
}

}  // namespace internal::node_selectors

// Reports every error of one v1.NodeSelectorTerm.
inline void check_node_selector_term(const Config& term) {
  if (!term.object()) return;
  for (const Config& requirement : term["matchExpressions"].elements())
    if (requirement.object()) internal::node_selectors::check_label(requirement);
  for (const Config& requirement : term["matchFields"].elements())
    if (requirement.object()) internal::node_selectors::check_field(requirement);
}

// Reports every error of a v1.NodeSelector.
inline void check_node_selector(const Config& selector) {
  for (const Config& term : selector["nodeSelectorTerms"].elements())
    check_node_selector_term(term);
}

}  // namespace berth::sdk
