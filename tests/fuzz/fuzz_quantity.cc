// Any bytes as two Kubernetes quantities, separated by a line end: accepted texts are written so
// that they are read as the same amounts, and comparisons and sums agree with the amounts.

#include <cstdint>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/model/objects/quantity.h"

namespace {

using berth::model::Quantity;

void check(const Quantity& one) {
  BERTH_ASSERT(Quantity::parse(one.to_string()) == one);
  BERTH_ASSERT(one.zero() == (one == Quantity()));
  BERTH_ASSERT(one.negative() == (one < Quantity()));
  // Rounding is away from zero, and clamps.
  BERTH_ASSERT(one.zero() == (one.value() == 0));
  BERTH_ASSERT((one.value() < 0) == one.negative());
  BERTH_ASSERT((one.milli_value() < 0) == one.negative());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find('\n');
  const auto a = Quantity::parse(text.substr(0, end));
  if (a) check(*a);
  if (end == std::string_view::npos) return 0;
  const auto b = Quantity::parse(text.substr(end + 1));
  if (b) check(*b);
  if (!a || !b) return 0;
  BERTH_ASSERT((*a < *b) == (*b > *a) && (*a == *b) == (*b == *a));
  if (*a < *b) BERTH_ASSERT(a->value() <= b->value() && a->milli_value() <= b->milli_value());
  Quantity sum = *a, other = *b;
  sum += *b;
  other += *a;
  BERTH_ASSERT(sum == other);
  if (!a->negative()) BERTH_ASSERT(sum >= *b);
  check(sum);
  return 0;
}
