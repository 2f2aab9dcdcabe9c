#include "engine/model/objects/names.h"

#include <algorithm>
#include <cctype>

namespace berth::model {
namespace {

constexpr size_t kMostNameBytes = 63;
constexpr size_t kMostPrefixBytes = 253;

bool alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool name_characters(std::string_view text) {
  if (text.empty() || !alphanumeric(text.front()) || !alphanumeric(text.back())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool dns_label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

// An RFC 1123 subdomain: labels of lower-case letters, digits and inner dashes, joined by dots.
bool dns_subdomain(std::string_view text) {
  while (true) {
    size_t dot = text.find('.');
    std::string_view label = text.substr(0, dot);
    if (label.empty() || label.front() == '-' || label.back() == '-') return false;
    if (!std::all_of(label.begin(), label.end(), dns_label_character)) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

constexpr char kNameRule[] =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr char kPrefixRule[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and "
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr char kValueRule[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and "
    "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', "
    "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool prefixed_native(std::string_view name) {
  return name.find("kubernetes.io/") != std::string_view::npos;
}

}  // namespace

std::optional<std::string> qualified_name_problem(std::string_view text) {
  std::string_view name = text;
  if (size_t slash = text.find('/'); slash != std::string_view::npos) {
    std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos)
      return std::string("a qualified name ") + kNameRule +
             " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    if (prefix.empty()) return "prefix part must be non-empty";
    if (prefix.size() > kMostPrefixBytes) return "prefix part must be no more than 253 characters";
    if (!dns_subdomain(prefix)) return std::string("prefix part ") + kPrefixRule;
  }
  if (name.empty()) return "name part must be non-empty";
  if (name.size() > kMostNameBytes) return "name part must be no more than 63 characters";
  if (!name_characters(name)) return std::string("name part ") + kNameRule;
  return std::nullopt;
}

std::optional<std::string> label_value_problem(std::string_view text) {
  if (text.size() > kMostNameBytes) return "must be no more than 63 characters";
  if (!text.empty() && !name_characters(text)) return kValueRule;
  return std::nullopt;
}

bool is_extended_resource(std::string_view name) {
  if (name.find('/') == std::string_view::npos || prefixed_native(name)) return false;
  if (name.starts_with("requests.")) return false;
  return !qualified_name_problem("requests." + std::string(name));
}

bool is_scalar_resource(std::string_view name) {
  return is_extended_resource(name) || name.starts_with("hugepages-") || prefixed_native(name) ||
         name.starts_with("attachable-volumes-");
}

}  // namespace berth::model
