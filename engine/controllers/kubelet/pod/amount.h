#pragma once

// A quantity that knows how it was written, so that messages print it as Kubernetes does: "7Gi",
// "100k", "1e3". Source: k8s.io/apimachinery api/resource.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/quantity.h"

namespace berth::controllers::kubelet {

struct Amount {
  enum class Format : uint8_t { kBinary, kDecimal, kExponent };

  // Nothing: the text is no quantity.
  static std::optional<Amount> parse(std::string_view text);
  static Amount bytes(int64_t number);
  static Amount count(int64_t number);

  // A sum prints as its first part that is not zero.
  Amount& operator+=(const Amount& other);
  // The shortest exact text of the format. Binary amounts below 1024, and those with a fraction,
  // are printed as decimal ones.
  std::string to_string() const;

  model::Quantity quantity;
  Format format = Format::kDecimal;
};

// By resource, sorted by name; names are unique.
using Amounts = std::vector<std::pair<std::string, Amount>>;

// Null: the resource is not in the list.
const Amount* find(const Amounts& amounts, std::string_view resource);

}  // namespace berth::controllers::kubelet
