#pragma once

// Kubernetes' qualified names ("example.com/rack"), which label keys and resource names are, and
// the values of labels. The texts are those of the API server's validation (k8s.io/apimachinery
// v0.34.1).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/text.hpp"

namespace berth::sdk {

namespace internal {

inline bool is_lower_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
inline bool is_alnum(char c) { return is_lower_alnum(c) || (c >= 'A' && c <= 'Z'); }

// Starts and ends with [A-Za-z0-9]; inner characters may also be '-', '_' and '.'.
inline bool is_name_part(std::string_view name) {
  if (name.empty() || !is_alnum(name.front()) || !is_alnum(name.back())) return false;
  for (const char c : name)
    if (!is_alnum(c) && c != '-' && c != '_' && c != '.') return false;
  return true;
}

// Dot-separated labels of [a-z0-9] with '-' inside.
inline bool is_subdomain(std::string_view name) {
  char last = '.';
  for (const char c : name) {
    if (!is_lower_alnum(c) && c != '-' && c != '.') return false;
    if ((c == '.' || c == '-') && last == '.') return false;
    if (c == '.' && last == '-') return false;
    last = c;
  }
  return is_lower_alnum(last);
}

inline constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation "
    "is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
inline constexpr std::string_view kLabelValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
inline constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

}  // namespace internal

// All errors of a name, in the API server's order; empty for a valid name.
inline std::vector<std::string> qualified_name_problems(std::string_view value) {
  std::vector<std::string> problems;
  std::string_view name = value;
  if (const size_t slash = value.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = value.substr(0, slash);
    name = value.substr(slash + 1);
    if (name.find('/') != std::string_view::npos)
      return {concat("a qualified name ", internal::kNameRule,
                     " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')")};
    if (prefix.empty()) {
      problems.emplace_back("prefix part must be non-empty");
    } else {
      if (prefix.size() > 253)
        problems.emplace_back("prefix part must be no more than 253 characters");
      if (!internal::is_subdomain(prefix))
        problems.push_back(concat("prefix part ", internal::kSubdomainRule));
    }
  }
  if (name.empty()) {
    problems.emplace_back("name part must be non-empty");
  } else if (name.size() > 63) {
    problems.emplace_back("name part must be no more than 63 characters");
  }
  if (!internal::is_name_part(name)) problems.push_back(concat("name part ", internal::kNameRule));
  return problems;
}

// True if qualified_name_problems() finds none.
inline bool is_qualified_name(std::string_view value) {
  return qualified_name_problems(value).empty();
}

// All errors of a label's value, in the API server's order; empty for a valid value.
inline std::vector<std::string> label_value_problems(std::string_view value) {
  std::vector<std::string> problems;
  if (value.size() > 63) problems.emplace_back("must be no more than 63 characters");
  if (!value.empty() && !internal::is_name_part(value))
    problems.emplace_back(internal::kLabelValueRule);
  return problems;
}

}  // namespace berth::sdk
