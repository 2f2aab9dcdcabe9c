#include "tests/properties/brute_force/brute_force_matching.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace berth::tests::brute {
namespace {

bool has(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::optional<int64_t> parse_integer(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  auto [at, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || at != end || begin == end) return std::nullopt;
  return value;
}

bool meets(const model::Requirement& r, const std::string* value) {
  if (r.op == "In") return value != nullptr && has(r.values, *value);
  if (r.op == "NotIn") return value == nullptr || !has(r.values, *value);
  if (r.op == "Exists") return value != nullptr;
  if (r.op == "DoesNotExist") return value == nullptr;
  if (value == nullptr) return false;
  const std::optional<int64_t> mine = parse_integer(*value);
  const std::optional<int64_t> bound = parse_integer(r.values.front());
  if (!mine || !bound) return false;
  return r.op == "Gt" ? *mine > *bound : *mine < *bound;
}

bool inner(char c) { return c == '-' || c == '_' || c == '.'; }
bool outer(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 63 && outer(text.front()) && outer(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return inner(c) || outer(c); });
}

// Prefixes are not checked, because random worlds contain no invalid ones.
bool is_key(const std::string& text) {
  const size_t slash = text.find('/');
  return is_name(slash == std::string::npos ? text : text.substr(slash + 1));
}

bool is_value(const std::string& text) { return text.empty() || is_name(text); }

bool well_formed(const model::Requirement& r) {
  if (!is_key(r.key) || !std::all_of(r.values.begin(), r.values.end(), is_value)) return false;
  if (r.op == "In" || r.op == "NotIn") return !r.values.empty();
  if (r.op == "Exists" || r.op == "DoesNotExist") return r.values.empty();
  if (r.op == "Gt" || r.op == "Lt") return r.values.size() == 1 && parse_integer(r.values[0]);
  return false;
}

bool well_formed_field(const model::Requirement& r) {
  return (r.op == "In" || r.op == "NotIn") && r.values.size() == 1;
}

// Fields that nodes do not have are empty.
bool meets_field(const model::Requirement& r, const model::Node& node) {
  const bool equal = r.values.front() == (r.key == "metadata.name" ? node.name : std::string());
  return (r.op == "In") == equal;
}

// Empty and malformed terms match nothing.
bool matches(const model::NodeSelectorTerm& term, const model::Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  const auto& labels = term.match_expressions;
  const auto& fields = term.match_fields;
  if (!std::all_of(labels.begin(), labels.end(), well_formed)) return false;
  if (!std::all_of(fields.begin(), fields.end(), well_formed_field)) return false;
  return std::all_of(labels.begin(), labels.end(),
                     [&](const auto& r) { return meets(r, find(node.labels, r.key)); }) &&
         std::all_of(fields.begin(), fields.end(),
                     [&](const auto& r) { return meets_field(r, node); });
}

bool tolerates(const model::Toleration& toleration, const model::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  return toleration.op == "Exists";
}

}  // namespace

bool Selector::matches(const model::StringMap& labels) const {
  return !nothing && std::all_of(requirements.begin(), requirements.end(),
                                 [&](const auto& r) { return meets(r, find(labels, r.key)); });
}

void Selector::add(const std::vector<model::Requirement>& more) {
  if (!nothing) requirements.insert(requirements.end(), more.begin(), more.end());
}

void Selector::add_labels(const model::StringMap& labels) {
  for (const auto& [key, value] : labels) add({{key, "In", {value}}});
}

Selector parse(const std::optional<model::LabelSelector>& selector, std::string& problem) {
  Selector parsed;
  parsed.nothing = !selector;
  if (!selector) return parsed;
  parsed.add_labels(selector->match_labels);
  for (const model::Requirement& r : selector->match_expressions) {
    if (r.op != "In" && r.op != "NotIn" && r.op != "Exists" && r.op != "DoesNotExist") {
      problem = '"' + r.op + "\" is not a valid label selector operator";
      return parsed;
    }
    parsed.add({r});
  }
  return parsed;
}

bool matches_required(const model::PodSpec& spec, const model::Node& node) {
  Selector selector;
  selector.add_labels(spec.node_selector);
  if (!selector.matches(node.labels)) return false;
  if (!spec.affinity.node_required) return true;
  const auto& terms = spec.affinity.node_required->terms;
  return std::any_of(terms.begin(), terms.end(),
                     [&](const auto& term) { return matches(term, node); });
}

bool tolerates(const model::PodSpec& spec, const model::Node& node) {
  return std::all_of(node.taints.begin(), node.taints.end(), [&](const model::Taint& taint) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return true;
    return std::any_of(spec.tolerations.begin(), spec.tolerations.end(),
                       [&](const auto& toleration) { return tolerates(toleration, taint); });
  });
}

}  // namespace berth::tests::brute
