#pragma once

// A Kubernetes resource quantity, exact to 10^-9. Source: k8s.io/apimachinery api/resource.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::model {

// A signed number of nano units (10^-9), the finest that the API has; parsing rounds smaller parts
// away from zero.
//
// With a binary suffix, amounts above 2^63-1 units are capped to it, as upstream does. Without one,
// upstream neither caps nor fits its integers and continues with overflowed values; here the amount
// is kept (up to about 10^29 units), so that callers which need an int64 can detect that it does
// not fit.
class Quantity {
 public:
  Quantity() = default;

  // Parses the complete grammar: sign, decimal point, binary (Ki..Ei) and decimal (n, u, m, k..E)
  // suffixes, decimal exponents (e, E). Returns nullopt for other texts, including surrounding
  // blanks.
  static std::optional<Quantity> parse(std::string_view text);
  static Quantity from_milli(int64_t milli) { return Quantity(Nano(milli) * 1'000'000); }
  static Quantity from_units(int64_t units) { return Quantity(Nano(units) * kNanoPerUnit); }

  // Units and thousandths, rounded up (away from zero), clamped to int64.
  int64_t value() const;
  int64_t milli_value() const;

  bool negative() const { return nano_ < 0; }
  bool zero() const { return nano_ == 0; }

  // A text that parses to this quantity: an integer and the largest suffix of "", m, u and n that
  // needs no decimal point.
  std::string to_string() const;

  // Saturating addition.
  Quantity& operator+=(const Quantity& other);
  friend auto operator<=>(const Quantity& a, const Quantity& b) = default;

 private:
  __extension__ using Nano = __int128;
  static constexpr int64_t kNanoPerUnit = 1'000'000'000;

  explicit Quantity(Nano nano) : nano_(nano) {}
  Nano nano_ = 0;
};

}  // namespace berth::model
