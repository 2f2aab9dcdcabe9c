#include "engine/ingest/admission/label_syntax.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace berth::ingest {
namespace {

constexpr size_t kMostInName = 63;
constexpr size_t kMostInSubdomain = 253;

// The regular expressions appear in messages only; the rules are simple enough to be written out.
#define BERTH_NAME_REGEX "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define BERTH_DNS_LABEL_REGEX "[a-z0-9]([-a-z0-9]*[a-z0-9])?"

constexpr char kNotAName[] =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '" BERTH_NAME_REGEX "')";
constexpr char kNotALabelValue[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(" BERTH_NAME_REGEX ")?')";
constexpr char kNotADnsLabel[] =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '" BERTH_DNS_LABEL_REGEX "')";
constexpr char kNotASubdomain[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '" BERTH_DNS_LABEL_REGEX "(\\." BERTH_DNS_LABEL_REGEX ")*')";
constexpr char kNotAServiceName[] =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

#undef BERTH_NAME_REGEX
#undef BERTH_DNS_LABEL_REGEX

// Kinds of characters, for masks of what a text may contain.
constexpr uint8_t kLower = 1;  // and digits
constexpr uint8_t kUpper = 2;
constexpr uint8_t kDash = 4;
constexpr uint8_t kMark = 8;  // '_' and '.'

constexpr std::array<uint8_t, 256> made_characters() {
  std::array<uint8_t, 256> kinds{};
  for (size_t c = 'a'; c <= 'z'; ++c) kinds[c] = kLower;
  for (size_t c = '0'; c <= '9'; ++c) kinds[c] = kLower;
  for (size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = kUpper;
  kinds['-'] = kDash;
  kinds['_'] = kinds['.'] = kMark;
  return kinds;
}
constexpr std::array<uint8_t, 256> kCharacters = made_characters();

bool is_of(char c, unsigned mask) {
  return (kCharacters[static_cast<unsigned char>(c)] & mask) != 0;
}

// True if the first and the last character are of `ends`, and all of `ends` or `between`.
bool consists(std::string_view text, unsigned ends, unsigned between) {
  if (text.empty() || !is_of(text.front(), ends) || !is_of(text.back(), ends)) return false;
  bool all = true;
  for (const char c : text) all = all && is_of(c, ends | between);
  return all;
}

bool is_name(std::string_view text) { return consists(text, kLower | kUpper, kDash | kMark); }
bool is_dns_label(std::string_view text) { return consists(text, kLower, kDash); }

bool is_subdomain(std::string_view text) {
  for (size_t dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
    if (!is_dns_label(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_dns_label(text);
}

std::string too_long(size_t most) {
  return "must be no more than " + std::to_string(most) + " characters";
}

void check_prefix(std::string_view prefix, std::vector<std::string>& problems) {
  constexpr char kPart[] = "prefix part ";
  if (prefix.empty()) {
    problems.push_back(std::string(kPart) + "must be non-empty");
    return;
  }
  if (prefix.size() > kMostInSubdomain) problems.push_back(kPart + too_long(kMostInSubdomain));
  if (!is_subdomain(prefix)) problems.push_back(std::string(kPart) + kNotASubdomain);
}

}  // namespace

std::vector<std::string> label_key_problems(std::string_view key) {
  std::vector<std::string> problems;
  if (size_t slash = key.find('/'); slash != key.npos) {
    if (key.find('/', slash + 1) != key.npos) {
      return {std::string("a qualified name ") + kNotAName +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    check_prefix(key.substr(0, slash), problems);
    key.remove_prefix(slash + 1);
  }
  if (key.empty()) problems.emplace_back("name part must be non-empty");
  if (key.size() > kMostInName) problems.push_back("name part " + too_long(kMostInName));
  if (!is_name(key)) problems.push_back(std::string("name part ") + kNotAName);
  return problems;
}

std::vector<std::string> label_value_problems(std::string_view value) {
  std::vector<std::string> problems;
  if (value.size() > kMostInName) problems.push_back(too_long(kMostInName));
  if (!value.empty() && !is_name(value)) problems.emplace_back(kNotALabelValue);
  return problems;
}

std::vector<std::string> namespace_name_problems(std::string_view name) {
  std::vector<std::string> problems;
  if (name.size() > kMostInName) problems.push_back(too_long(kMostInName));
  if (!is_dns_label(name)) {
    problems.emplace_back(is_subdomain(name) ? "must not contain dots" : kNotADnsLabel);
  }
  return problems;
}

std::vector<std::string> object_name_problems(std::string_view name) {
  std::vector<std::string> problems;
  if (name.size() > kMostInSubdomain) problems.push_back(too_long(kMostInSubdomain));
  if (!is_subdomain(name)) problems.emplace_back(kNotASubdomain);
  return problems;
}

std::vector<std::string> service_name_problems(std::string_view name) {
  std::vector<std::string> problems;
  if (name.size() > kMostInName) problems.push_back(too_long(kMostInName));
  if (!is_dns_label(name) || (name.front() >= '0' && name.front() <= '9'))
    problems.emplace_back(kNotAServiceName);
  return problems;
}

std::vector<std::string> port_name_problems(std::string_view name) {
  constexpr size_t kMostInPortName = 15;
  std::vector<std::string> problems;
  if (name.size() > kMostInPortName) problems.push_back(too_long(kMostInPortName));
  const auto any = [&](auto is) { return std::ranges::any_of(name, is); };
  if (any([](char c) { return !is_of(c, kLower | kDash); }))
    problems.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!any([](char c) { return c >= 'a' && c <= 'z'; }))
    problems.emplace_back("must contain at least one letter (a-z)");
  if (name.find("--") != name.npos) problems.emplace_back("must not contain consecutive hyphens");
  if (name.starts_with('-') || name.ends_with('-'))
    problems.emplace_back("must not begin or end with a hyphen");
  return problems;
}

}  // namespace berth::ingest
