#pragma once

// A Kubernetes resource quantity, exact to the nano. Source: k8s.io/apimachinery api/resource.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::model {

// Signed, in nano units (10^-9), which the API never goes below: smaller parts are rounded away
// from zero when parsed. With a binary suffix, what is above 2^63-1 units is capped to it, as
// upstream does. Without, upstream neither caps nor fits its integers, and goes on with overflown
// ones; here the amount is kept (up to about 10^29 units), so that who needs an int64 can see that
// it is none.
class Quantity {
 public:
  Quantity() = default;

  // The whole grammar: sign, decimal point, binary (Ki..Ei) and decimal (n, u, m, k..E) suffixes,
  // decimal exponents (e, E). Nothing if the text is not a quantity. No blanks around it.
  static std::optional<Quantity> parse(std::string_view text);
  static Quantity from_milli(int64_t milli) { return Quantity(Nano(milli) * 1'000'000); }
  static Quantity from_units(int64_t units) { return Quantity(Nano(units) * kNanoPerUnit); }

  // Whole units and thousandths, rounded up (away from zero), clamped to int64.
  int64_t value() const;
  int64_t milli_value() const;

  bool negative() const { return nano_ < 0; }
  bool zero() const { return nano_ == 0; }

  // A text that parses to this quantity again: digits and the largest of "", m, u and n that needs
  // no decimal point.
  std::string to_string() const;

  // Saturates.
  Quantity& operator+=(const Quantity& other);
  friend auto operator<=>(const Quantity& a, const Quantity& b) = default;

 private:
  __extension__ using Nano = __int128;
  static constexpr int64_t kNanoPerUnit = 1'000'000'000;

  explicit Quantity(Nano nano) : nano_(nano) {}
  Nano nano_ = 0;
};

}  // namespace berth::model
