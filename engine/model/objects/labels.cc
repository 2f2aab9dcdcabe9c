#include "engine/model/objects/labels.h"

#include <algorithm>

#include "engine/base/text/joined.h"
#include "engine/model/objects/names.h"

namespace berth::model {

StringId label_value(const Labels& labels, StringId key) {
  auto at = std::lower_bound(labels.begin(), labels.end(), std::pair<StringId, StringId>(key, 0));
  return at != labels.end() && at->first == key ? at->second : 0;
}

Labels intern_labels(Strings& strings, const StringMap& labels) {
  Labels interned;
  interned.reserve(labels.size());
  for (const auto& [key, value] : labels)
    interned.emplace_back(strings.intern_counted(key), strings.intern_counted(value));
  std::sort(interned.begin(), interned.end());
  return interned;
}

StringMap label_texts(const Strings& strings, const Labels& labels) {
  StringMap texts;
  texts.reserve(labels.size());
  for (const auto& [key, value] : labels)
    texts.emplace_back(strings.text(key), strings.text(value));
  std::sort(texts.begin(), texts.end());
  return texts;
}

void retain(Strings& strings, const Labels& labels) {
  for (const auto& [key, value] : labels) {
    strings.retain(key);
    strings.retain(value);
  }
}

void release(Strings& strings, const Labels& labels) {
  for (const auto& [key, value] : labels) {
    strings.release(key);
    strings.release(value);
  }
}

bool LabelTest::passes(const Labels& labels) const {
  const StringId value = label_value(labels, key);
  switch (op) {
    case Op::kIn:
    case Op::kNotIn: {
      bool named = value != 0 && std::find(values.begin(), values.end(), value) != values.end();
      return named == (op == Op::kIn);
    }
    case Op::kExists:
      return value != 0;
    case Op::kDoesNotExist:
      return value == 0;
  }
  return false;
}

std::optional<LabelTest::Op> label_test_op(std::string_view op) {
  if (op == "In") return LabelTest::Op::kIn;
  if (op == "NotIn") return LabelTest::Op::kNotIn;
  if (op == "Exists") return LabelTest::Op::kExists;
  if (op == "DoesNotExist") return LabelTest::Op::kDoesNotExist;
  return std::nullopt;
}

std::string quoted_value(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string listed_values(const std::vector<std::string>& values) {
  return "[" + joined(values, ",", quoted_value) + "]";
}

std::string invalid_value(const std::string& path, const std::string& value, std::string_view why) {
  return path + ": Invalid value: " + value + ": " + std::string(why);
}

void find_label_test_problems(LabelTest::Op op, const std::string& key,
                              const std::vector<std::string>& values, const std::string& path,
                              std::vector<std::string>& problems) {
  const std::string front = path.empty() ? "" : path + ".";
  if (const auto why = qualified_name_problem(key))
    problems.push_back(invalid_value(front + "key", quoted_value(key), *why));
  const bool of_set = op == LabelTest::Op::kIn || op == LabelTest::Op::kNotIn;
  // Upstream prints an empty list as null.
  if (of_set && values.empty())
    problems.push_back(invalid_value(front + "values", "null",
                                     "for 'in', 'notin' operators, values set can't be empty"));
  if (!of_set && !values.empty())
    problems.push_back(invalid_value(front + "values", listed_values(values),
                                     "values set must be empty for exists and does not exist"));
  for (size_t i = 0; i < values.size(); ++i)
    if (const auto why = label_value_problem(values[i]))
      problems.push_back(invalid_value(front + "values[" + std::to_string(i) + "][" + key + "]",
                                       quoted_value(values[i]), *why));
}

}  // namespace berth::model
