#pragma once

// Labels of nodes, pods and namespaces as string ids, and single requirements on them.
// Source: k8s.io/apimachinery pkg/labels.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/storage/strings.h"

namespace berth::model {

// Labels as (key, value) string ids, sorted by key.
using Labels = std::vector<std::pair<StringId, StringId>>;

StringId label_value(const Labels& labels, StringId key);  // 0: no such label
Labels intern_labels(Strings& strings, const StringMap& labels);

// One requirement on labels, of those that label selectors have.
struct LabelTest {
  enum class Op : uint8_t { kIn, kNotIn, kExists, kDoesNotExist };

  Op op = Op::kIn;
  StringId key = 0;
  std::vector<StringId> values;

  bool passes(const Labels& labels) const;
};

std::optional<LabelTest::Op> label_test_op(std::string_view op);  // "In", "NotIn", ...

// Appends what is wrong with the key and the values of a requirement of that operator, in the API's
// words; `path` is the requirement's, or empty.
void find_label_test_problems(LabelTest::Op op, const std::string& key,
                              const std::vector<std::string>& values, const std::string& path,
                              std::vector<std::string>& problems);

// How the API quotes what is wrong: a text, and a list of them (as JSON).
std::string quoted_value(std::string_view text);
std::string listed_values(const std::vector<std::string>& values);
std::string invalid_value(const std::string& path, const std::string& value, std::string_view why);

}  // namespace berth::model
