#pragma once

// Labels of nodes, pods and namespaces as string ids, and single requirements on them. Source:
// k8s.io/apimachinery pkg/labels.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/columns/strings.h"
#include "engine/model/objects/objects.h"

namespace berth::model {

// (key, value) string ids, sorted by key id; keys are unique.
using Labels = std::vector<std::pair<StringId, StringId>>;

// The value of a label; 0 if there is no label with this key. Binary search.
StringId label_value(const Labels& labels, StringId key);
// Interns keys and values, counted: the owner of the labels retains them.
Labels intern_labels(Strings& strings, const StringMap& labels);
// The labels as they are in an object of the API.
StringMap label_texts(const Strings& strings, const Labels& labels);
void retain(Strings& strings, const Labels& labels);
void release(Strings& strings, const Labels& labels);

// A requirement of a label selector.
struct LabelTest {
  enum class Op : uint8_t { kIn, kNotIn, kExists, kDoesNotExist };

  Op op = Op::kIn;
  StringId key = 0;
  std::vector<StringId> values;

  // True if the labels satisfy the requirement. NotIn is also satisfied without the label.
  bool passes(const Labels& labels) const;
};

// The operator of a name: "In", "NotIn", "Exists" or "DoesNotExist"; nullopt for other names.
std::optional<LabelTest::Op> label_test_op(std::string_view op);

// Appends the problems of a requirement with this operator to `problems`, in the API's words.
// `path` is the path of the requirement, or empty.
void find_label_test_problems(LabelTest::Op op, const std::string& key,
                              const std::vector<std::string>& values, const std::string& path,
                              std::vector<std::string>& problems);

// Formatting of invalid values in the API's messages: quoted_value() quotes a text, listed_values()
// formats a list as JSON, invalid_value() makes a whole message.
std::string quoted_value(std::string_view text);
std::string listed_values(const std::vector<std::string>& values);
std::string invalid_value(const std::string& path, const std::string& value, std::string_view why);

}  // namespace berth::model
