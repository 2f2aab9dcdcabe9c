#include "engine/model/selectors/label_selectors.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace berth::model {
namespace {

bool less(const LabelTest& a, const LabelTest& b) {
  return std::tie(a.key, a.op, a.values) < std::tie(b.key, b.op, b.values);
}
bool equal(const LabelTest& a, const LabelTest& b) { return !less(a, b) && !less(b, a); }

void append(std::string& identity, uint32_t number) {
  identity.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Joins the problems of a requirement as upstream does, without duplicates.
std::string aggregate(const std::vector<std::string>& problems) {
  if (problems.empty()) return {};
  std::string text;
  std::set<std::string> said;
  for (const std::string& problem : problems)
    if (said.insert(problem).second) text += (text.empty() ? "" : ", ") + problem;
  return said.size() == 1 ? text : "[" + text + "]";
}

}  // namespace

LabelSelectors::LabelSelectors(Strings& strings) : strings_(strings) {
  retain(keep({.nothing = true, .tests = {}, .problem = {}}));
  retain(keep({}));
}

LabelSelectors::Handle LabelSelectors::keep(Selector selector) {
  std::sort(selector.tests.begin(), selector.tests.end(), less);
  selector.tests.erase(std::unique(selector.tests.begin(), selector.tests.end(), equal),
                       selector.tests.end());
  std::string identity = selector.nothing ? "-" + selector.problem : "+";
  for (const LabelTest& test : selector.tests) {
    append(identity, test.key);
    append(identity, static_cast<uint32_t>(test.op));
    append(identity, static_cast<uint32_t>(test.values.size()));
    for (StringId value : test.values) append(identity, value);
  }
  if (const Handle known = selectors_.find(identity); known != 0) return known;
  for (const LabelTest& test : selector.tests) {
    strings_.retain(test.key);
    for (const StringId value : test.values) strings_.retain(value);
  }
  return selectors_.add(std::move(identity), std::move(selector));
}

void LabelSelectors::collect() {
  selectors_.collect([&](const Selector& gone) {
    for (const LabelTest& test : gone.tests) {
      strings_.release(test.key);
      for (const StringId value : test.values) strings_.release(value);
    }
  });
}

// Returns the problems of the first invalid requirement.
std::string LabelSelectors::parse(const LabelSelector& source, Selector& selector) {
  auto add = [&](LabelTest::Op op, const std::string& key, const std::vector<std::string>& values) {
    std::vector<std::string> problems;
    find_label_test_problems(op, key, values, "", problems);
    LabelTest& test = selector.tests.emplace_back();
    test.op = op;
    test.key = strings_.intern_counted(key);
    for (const std::string& value : values) test.values.push_back(strings_.intern_counted(value));
    std::sort(test.values.begin(), test.values.end());
    return aggregate(problems);
  };
  for (const auto& [key, value] : source.match_labels)
    if (std::string problem = add(LabelTest::Op::kIn, key, {value}); !problem.empty())
      return problem;
  for (const Requirement& requirement : source.match_expressions) {
    const auto op = label_test_op(requirement.op);
    if (!op) return quoted_value(requirement.op) + " is not a valid label selector operator";
    if (std::string problem = add(*op, requirement.key, requirement.values); !problem.empty())
      return problem;
  }
  return {};
}

LabelSelectors::Handle LabelSelectors::of(const std::optional<LabelSelector>& source) {
  if (!source) return kNothing;
  Selector selector;
  selector.problem = parse(*source, selector);
  if (!selector.problem.empty()) {
    selector.nothing = true;
    selector.tests.clear();
  }
  return keep(std::move(selector));
}

LabelSelectors::Handle LabelSelectors::of_labels(const Labels& labels) {
  Selector selector;
  for (const auto& [key, value] : labels)
    selector.tests.push_back({LabelTest::Op::kIn, key, {value}});
  return keep(std::move(selector));
}

LabelSelectors::Handle LabelSelectors::both(Handle a, Handle b) {
  if (a == b || everything(b) || selectors_[a].nothing) return a;
  if (everything(a) || selectors_[b].nothing) return b;
  Selector selector = selectors_[a];
  const auto& more = selectors_[b].tests;
  selector.tests.insert(selector.tests.end(), more.begin(), more.end());
  return keep(std::move(selector));
}

bool LabelSelectors::everything(Handle handle) const {
  const Selector& selector = selectors_[handle];
  return !selector.nothing && selector.tests.empty();
}

bool LabelSelectors::matches(Handle handle, const Labels& labels) const {
  const Selector& selector = selectors_[handle];
  return !selector.nothing &&
         std::all_of(selector.tests.begin(), selector.tests.end(),
                     [&](const LabelTest& test) { return test.passes(labels); });
}

std::pair<StringId, StringId> LabelSelectors::required(Handle handle) const {
  for (const LabelTest& test : selectors_[handle].tests)
    if (test.op == LabelTest::Op::kIn && test.values.size() == 1) return {test.key, test.values[0]};
  return {};
}

std::string LabelSelectors::words(Handle handle) const {
  const Selector& selector = selectors_[handle];
  if (selector.nothing) return "<none>";
  if (selector.tests.empty()) return "<all>";
  std::string text;
  for (const LabelTest& test : selector.tests) {
    if (!text.empty()) text += ",";
    const std::string key(strings_.text(test.key));
    std::string values;
    for (const StringId value : test.values)
      values += (values.empty() ? "" : ",") + std::string(strings_.text(value));
    switch (test.op) {
      case LabelTest::Op::kIn:
        text += key + (test.values.size() == 1 ? "=" + values : " in (" + values + ")");
        break;
      case LabelTest::Op::kNotIn:
        text += key + (test.values.size() == 1 ? "!=" + values : " notin (" + values + ")");
        break;
      case LabelTest::Op::kExists:
        text += key;
        break;
      case LabelTest::Op::kDoesNotExist:
        text += "!" + key;
        break;
    }
  }
  return text;
}

}  // namespace berth::model
