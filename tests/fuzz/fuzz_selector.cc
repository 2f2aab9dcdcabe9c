// Any bytes as label selectors and labels: matches are those of the plain rules of Kubernetes, for
// one selector and for the conjunction of two.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/columns/strings.h"
#include "engine/model/selectors/label_selectors.h"

namespace {

using namespace berth::model;

// Takes values from the bytes; at their end, zeros.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}

  uint8_t byte() { return at_ == end_ ? uint8_t{0} : *at_++; }
  // Mostly one of a few words, so that keys and values meet.
  std::string text() {
    static constexpr const char* kWords[] = {"a", "b", "x.y/z", "web", "", "-", "1"};
    const uint8_t kind = byte();
    if (kind < 0xc0) return kWords[kind % std::size(kWords)];
    std::string made;
    for (uint8_t left = kind & 0x1f; left != 0 && at_ != end_; --left)
      made += static_cast<char>(byte());
    return made;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

LabelSelector selector_of(Input& in) {
  static constexpr const char* kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "in"};
  LabelSelector made;
  for (int left = in.byte() % 4; left != 0; --left) {
    std::string key = in.text(), value = in.text();
    const auto same = [&](const auto& label) { return label.first == key; };
    if (std::ranges::none_of(made.match_labels, same)) made.match_labels.emplace_back(key, value);
  }
  std::ranges::sort(made.match_labels);
  for (int left = in.byte() % 4; left != 0; --left) {
    Requirement& one = made.match_expressions.emplace_back();
    one.key = in.text();
    one.op = kOperators[in.byte() % std::size(kOperators)];
    for (int values = in.byte() % 4; values != 0; --values) one.values.push_back(in.text());
  }
  return made;
}

StringMap labels_of(Input& in) {
  StringMap made;
  for (int left = in.byte() % 6; left != 0; --left) {
    std::string key = in.text(), value = in.text();
    const auto same = [&](const auto& label) { return label.first == key; };
    if (std::ranges::none_of(made, same)) made.emplace_back(key, value);
  }
  return made;
}

std::optional<std::string_view> find(const StringMap& labels, std::string_view key) {
  for (const auto& [name, value] : labels)
    if (name == key) return value;
  return std::nullopt;
}

bool passes(const Requirement& one, const StringMap& labels) {
  const auto value = find(labels, one.key);
  const bool listed = value && std::ranges::find(one.values, *value) != one.values.end();
  if (one.op == "In") return listed;
  if (one.op == "NotIn") return !listed;
  return (one.op == "Exists") == value.has_value();
}

// Precondition: the selector is valid.
bool plainly_matches(const LabelSelector& selector, const StringMap& labels) {
  for (const auto& [key, value] : selector.match_labels)
    if (find(labels, key) != std::string_view(value)) return false;
  return std::ranges::all_of(selector.match_expressions,
                             [&](const Requirement& one) { return passes(one, labels); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input in(data, size);
  Strings strings;
  LabelSelectors selectors(strings);
  const LabelSelector a = selector_of(in), b = selector_of(in);
  const auto handle_a = selectors.of(a), handle_b = selectors.of(b);
  BERTH_ASSERT(selectors.of(a) == handle_a);
  const auto both = selectors.both(handle_a, handle_b);
  for (int left = 1 + in.byte() % 4; left != 0; --left) {
    const StringMap map = labels_of(in);
    Labels labels;
    for (const auto& [key, value] : map)
      labels.emplace_back(strings.intern(key), strings.intern(value));
    std::ranges::sort(labels);
    bool expected = true;
    for (const auto& [selector, handle] : {std::pair(&a, handle_a), std::pair(&b, handle_b)}) {
      const bool wanted = selectors.problem(handle).empty() && plainly_matches(*selector, map);
      BERTH_ASSERT(selectors.matches(handle, labels) == wanted);
      const auto required = selectors.required(handle);
      if (wanted && required.first != 0)
        BERTH_ASSERT(std::ranges::find(labels, required) != labels.end());
      expected = expected && wanted;
      (void)selectors.words(handle);
    }
    BERTH_ASSERT(selectors.matches(both, labels) == expected);
  }
  return 0;
}
