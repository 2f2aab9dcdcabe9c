#include "engine/model/node_selectors.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/model/names.h"

namespace berth::model {
namespace {

constexpr char kNodeNameField[] = "metadata.name";

// As strconv.ParseInt in base 10: an optional sign, digits, nothing else, within int64.
std::optional<int64_t> parse_integer(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
    if (digits.starts_with('-')) return std::nullopt;
  }
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return std::nullopt;
  return value;
}

// Lengths in front, so that no two different selectors look alike.
void append(std::string& identity, std::string_view text) {
  identity += std::to_string(text.size());
  identity += ':';
  identity += text;
}

void append(std::string& identity, const std::vector<Requirement>& requirements) {
  identity += std::to_string(requirements.size()) + '[';
  for (const Requirement& r : requirements) {
    append(identity, r.key);
    append(identity, r.op);
    identity += std::to_string(r.values.size()) + '(';
    for (const std::string& value : r.values) append(identity, value);
  }
}

void append(std::string& identity, const NodeSelectorTerm& term) {
  append(identity, term.match_expressions);
  append(identity, term.match_fields);
}

std::string invalid(const std::string& path, const std::string& value, std::string_view why) {
  return path + ": Invalid value: " + value + ": " + std::string(why);
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string listed(const std::vector<std::string>& values) {
  std::string text = "[";
  for (const std::string& value : values) text += (text.size() == 1 ? "" : ",") + quoted(value);
  return text + "]";
}

bool empty_term(const NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

}  // namespace

StringId label_value(const Labels& labels, StringId key) {
  auto at = std::lower_bound(labels.begin(), labels.end(), std::pair<StringId, StringId>(key, 0));
  return at != labels.end() && at->first == key ? at->second : 0;
}

Labels intern_labels(Strings& strings, const StringMap& labels) {
  Labels interned;
  interned.reserve(labels.size());
  for (const auto& [key, value] : labels)
    interned.emplace_back(strings.intern(key), strings.intern(value));
  std::sort(interned.begin(), interned.end());
  return interned;
}

NodeSelectors::Handle NodeSelectors::keep(std::string identity, Selector selector) {
  auto [at, fresh] = handles_.try_emplace(std::move(identity), count() + 1);
  if (fresh) selectors_.push_back(std::move(selector));
  return at->second;
}

NodeSelectors::Handle NodeSelectors::of_map(const StringMap& labels) {
  if (labels.empty()) return 0;
  std::string identity = "map";
  Selector selector;
  std::vector<Test> tests;
  for (const auto& [key, value] : labels) {
    append(identity, key);
    append(identity, value);
    tests.push_back({Op::kIn, false, strings_.intern(key), 0, {strings_.intern(value)}});
  }
  selector.terms.push_back(std::move(tests));
  return keep(std::move(identity), std::move(selector));
}

NodeSelectors::Handle NodeSelectors::of_selector(const NodeSelector& source) {
  std::string identity = "selector";
  for (const NodeSelectorTerm& term : source.terms) append(identity, term);
  if (auto known = handles_.find(identity); known != handles_.end()) return known->second;
  Selector selector;
  for (size_t i = 0; i < source.terms.size(); ++i)
    add_term(selector, source.terms[i], "nodeSelectorTerms[" + std::to_string(i) + "]");
  return keep(std::move(identity), std::move(selector));
}

NodeSelectors::Handle NodeSelectors::of_term(const NodeSelectorTerm& term, std::string_view path) {
  std::string identity = "term";
  append(identity, path);
  append(identity, term);
  if (auto known = handles_.find(identity); known != handles_.end()) return known->second;
  Selector selector;
  add_term(selector, term, std::string(path));
  return keep(std::move(identity), std::move(selector));
}

// An empty term matches nothing, and neither does one with something wrong in it.
void NodeSelectors::add_term(Selector& selector, const NodeSelectorTerm& term,
                             const std::string& path) {
  if (empty_term(term)) return;
  std::vector<Test> tests;
  std::string problems;
  auto add = [&](const std::vector<Requirement>& requirements, const char* field, auto make) {
    for (size_t i = 0; i < requirements.size(); ++i) {
      Test test{};
      std::string at = path + (path.empty() ? "" : ".") + field + "[" + std::to_string(i) + "]";
      std::string problem = (this->*make)(requirements[i], at, test);
      if (!problem.empty()) problems += (problems.empty() ? "" : ", ") + problem;
      tests.push_back(std::move(test));
    }
  };
  add(term.match_expressions, "matchExpressions", &NodeSelectors::label_test);
  add(term.match_fields, "matchFields", &NodeSelectors::field_test);
  if (problems.empty()) {
    selector.terms.push_back(std::move(tests));
  } else {
    selector.problem += (selector.problem.empty() ? "" : ", ") + problems;
  }
}

std::string NodeSelectors::label_test(const Requirement& requirement, const std::string& path,
                                      Test& test) {
  static const std::pair<std::string_view, Op> kOps[] = {
      {"In", Op::kIn},      {"NotIn", Op::kNotIn}, {"Exists", Op::kExists},
      {"Gt", Op::kGreater}, {"Lt", Op::kLess},     {"DoesNotExist", Op::kDoesNotExist}};
  auto op = std::find_if(std::begin(kOps), std::end(kOps),
                         [&](const auto& known) { return known.first == requirement.op; });
  if (op == std::end(kOps))
    return path + ".operator: Unsupported value: " + quoted(requirement.op) +
           ": supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"";
  test.op = op->second;
  test.key = strings_.intern(requirement.key);
  for (const std::string& value : requirement.values) test.values.push_back(strings_.intern(value));

  if (std::string why = qualified_name_problem(requirement.key); !why.empty())
    return invalid(path + ".key", quoted(requirement.key), why);
  bool numeric = test.op == Op::kGreater || test.op == Op::kLess;
  bool of_set = test.op == Op::kIn || test.op == Op::kNotIn;
  size_t values = requirement.values.size();
  if (of_set && values == 0)
    return invalid(path + ".values", "[]",
                   "for 'in', 'notin' operators, values set can't be empty");
  if (!of_set && !numeric && values != 0)
    return invalid(path + ".values", listed(requirement.values),
                   "values set must be empty for exists and does not exist");
  if (numeric) {
    if (values != 1)
      return invalid(path + ".values", listed(requirement.values),
                     "for 'Gt', 'Lt' operators, exactly one value is required");
    std::optional<int64_t> number = parse_integer(requirement.values[0]);
    if (!number)
      return invalid(path + ".values[0]", quoted(requirement.values[0]),
                     "for 'Gt', 'Lt' operators, the value must be an integer");
    test.number = *number;
  }
  for (size_t i = 0; i < values; ++i)
    if (std::string why = label_value_problem(requirement.values[i]); !why.empty())
      return invalid(path + ".values[" + std::to_string(i) + "]", quoted(requirement.values[i]),
                     why);
  return {};
}

std::string NodeSelectors::field_test(const Requirement& requirement, const std::string& path,
                                      Test& test) {
  if (requirement.op != "In" && requirement.op != "NotIn")
    return path + ".operator: Unsupported value: " + quoted(requirement.op) +
           ": supported values: \"In\", \"NotIn\"";
  if (requirement.values.size() != 1)
    return invalid(path + ".values", listed(requirement.values), "must have one element");
  test.op = requirement.op == "In" ? Op::kFieldIs : Op::kFieldIsNot;
  test.is_name = requirement.key == kNodeNameField;
  test.values.push_back(strings_.intern(requirement.values[0]));
  return {};
}

bool NodeSelectors::passes(const Test& test, const Labels& labels, StringId node_name) const {
  auto named = [&](StringId value) {
    return std::find(test.values.begin(), test.values.end(), value) != test.values.end();
  };
  switch (test.op) {
    case Op::kFieldIs:
    case Op::kFieldIsNot: {
      // A field that nodes do not have reads as the empty string.
      bool is = test.is_name ? named(node_name) : strings_.text(test.values[0]).empty();
      return is == (test.op == Op::kFieldIs);
    }
    case Op::kIn:
    case Op::kNotIn: {
      StringId value = label_value(labels, test.key);
      return (value != 0 && named(value)) == (test.op == Op::kIn);
    }
    case Op::kExists:
    case Op::kDoesNotExist:
      return (label_value(labels, test.key) != 0) == (test.op == Op::kExists);
    case Op::kGreater:
    case Op::kLess: {
      StringId value = label_value(labels, test.key);
      std::optional<int64_t> number =
          value == 0 ? std::nullopt : parse_integer(strings_.text(value));
      if (!number) return false;
      return test.op == Op::kGreater ? *number > test.number : *number < test.number;
    }
  }
  return false;
}

bool NodeSelectors::matches(Handle handle, const Labels& labels, StringId node_name) const {
  for (const auto& term : selectors_[handle - 1].terms)
    if (std::all_of(term.begin(), term.end(),
                    [&](const Test& test) { return passes(test, labels, node_name); }))
      return true;
  return false;
}

}  // namespace berth::model
