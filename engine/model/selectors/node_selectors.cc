#include "engine/model/selectors/node_selectors.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/base/text/joined.h"
#include "engine/model/objects/names.h"

namespace berth::model {
namespace {

// Parses like strconv.ParseInt in base 10: an optional sign and digits, within int64.
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

// Lengths precede texts, so that different selectors have different identities.
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

// Problems of Gt and Lt, which only node selectors have.
void find_comparison_problems(const Requirement& requirement, const std::string& path,
                              std::vector<std::string>& problems) {
  if (const auto why = qualified_name_problem(requirement.key))
    problems.push_back(invalid_value(path + ".key", quoted_value(requirement.key), *why));
  const std::vector<std::string>& values = requirement.values;
  if (values.size() != 1)
    problems.push_back(invalid_value(path + ".values",
                                     values.empty() ? "null" : listed_values(values),
                                     "for 'Gt', 'Lt' operators, exactly one value is required"));
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string at = path + ".values[" + std::to_string(i) + "]";
    if (!parse_integer(values[i]))
      problems.push_back(invalid_value(at, quoted_value(values[i]),
                                       "for 'Gt', 'Lt' operators, the value must be an integer"));
    if (const auto why = label_value_problem(values[i]))
      problems.push_back(
          invalid_value(at + "[" + requirement.key + "]", quoted_value(values[i]), *why));
  }
}

bool empty_term(const NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

}  // namespace

template <typename Visit>
void NodeSelectors::for_each_string(const Selector& selector, Visit&& visit) {
  for (const std::vector<Test>& term : selector.terms)
    for (const Test& test : term) {
      if (test.key != 0) visit(test.key);
      for (const StringId value : test.values) visit(value);
    }
}

NodeSelectors::Handle NodeSelectors::keep(std::string identity, Selector selector) {
  for_each_string(selector, [&](StringId id) { strings_.retain(id); });
  return selectors_.add(std::move(identity), std::move(selector));
}

void NodeSelectors::collect() {
  selectors_.collect([&](const Selector& gone) {
    for_each_string(gone, [&](StringId id) { strings_.release(id); });
  });
}

NodeSelectors::Handle NodeSelectors::of_map(const StringMap& labels) {
  if (labels.empty()) return 0;
  std::string identity = "map";
  for (const auto& [key, value] : labels) {
    append(identity, key);
    append(identity, value);
  }
  if (const Handle known = selectors_.find(identity); known != 0) return known;
  Selector selector;
  std::vector<Test> tests;
  for (const auto& [key, value] : labels)
    tests.push_back(
        {Op::kIn, false, strings_.intern_counted(key), 0, {strings_.intern_counted(value)}});
  selector.terms.push_back(std::move(tests));
  return keep(std::move(identity), std::move(selector));
}

NodeSelectors::Handle NodeSelectors::of_selector(const NodeSelector& source) {
  std::string identity = "selector";
  for (const NodeSelectorTerm& term : source.terms) append(identity, term);
  if (const Handle known = selectors_.find(identity); known != 0) return known;
  Selector selector;
  for (size_t i = 0; i < source.terms.size(); ++i)
    add_term(selector, source.terms[i], "nodeSelectorTerms[" + std::to_string(i) + "]");
  return keep(std::move(identity), std::move(selector));
}

NodeSelectors::Handle NodeSelectors::of_term(const NodeSelectorTerm& term, std::string_view path) {
  std::string identity = "term";
  append(identity, path);
  append(identity, term);
  if (const Handle known = selectors_.find(identity); known != 0) return known;
  Selector selector;
  add_term(selector, term, std::string(path));
  return keep(std::move(identity), std::move(selector));
}

// Empty and invalid terms match nothing.
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
    return path + ".operator: Unsupported value: " + quoted_value(requirement.op) +
           ": supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"";
  test.op = op->second;
  test.key = strings_.intern_counted(requirement.key);
  for (const std::string& value : requirement.values)
    test.values.push_back(strings_.intern_counted(value));

  std::vector<std::string> problems;
  if (auto shared = label_test_op(requirement.op)) {
    find_label_test_problems(*shared, requirement.key, requirement.values, path, problems);
  } else {
    find_comparison_problems(requirement, path, problems);
    if (problems.empty()) test.number = *parse_integer(requirement.values[0]);
  }
  return joined(problems, ", ");
}

std::string NodeSelectors::field_test(const Requirement& requirement, const std::string& path,
                                      Test& test) {
  if (requirement.op != "In" && requirement.op != "NotIn")
    return path + ".operator: Unsupported value: " + quoted_value(requirement.op) +
           ": supported values: \"In\", \"NotIn\"";
  if (requirement.values.size() != 1)
    return invalid_value(path + ".values", listed_values(requirement.values),
                         "must have one element");
  test.op = requirement.op == "In" ? Op::kFieldIs : Op::kFieldIsNot;
  test.is_name = requirement.key == kNodeNameField;
  test.values.push_back(strings_.intern_counted(requirement.values[0]));
  return {};
}

bool NodeSelectors::passes(const Test& test, const Labels& labels, StringId node_name) const {
  auto named = [&](StringId value) {
    return std::find(test.values.begin(), test.values.end(), value) != test.values.end();
  };
  switch (test.op) {
    case Op::kFieldIs:
    case Op::kFieldIsNot: {
      // A field that nodes do not have is empty.
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
  for (const auto& term : selectors_[handle].terms)
    if (std::all_of(term.begin(), term.end(),
                    [&](const Test& test) { return passes(test, labels, node_name); }))
      return true;
  return false;
}

std::optional<std::vector<StringId>> NodeSelectors::names(Handle handle) const {
  std::vector<StringId> names;
  for (const auto& term : selectors_[handle].terms) {
    const auto by_name = std::ranges::find_if(
        term, [](const Test& test) { return test.op == Op::kFieldIs && test.is_name; });
    if (by_name == term.end()) return std::nullopt;
    names.insert(names.end(), by_name->values.begin(), by_name->values.end());
  }
  return names;
}

}  // namespace berth::model
