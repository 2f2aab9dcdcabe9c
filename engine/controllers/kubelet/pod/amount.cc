#include "engine/controllers/kubelet/pod/amount.h"

#include <algorithm>
#include <array>

#include "engine/base/text/characters.h"

namespace berth::controllers::kubelet {

using model::Quantity;

namespace {

constexpr int64_t kKibi = 1024;

Amount::Format format_of(std::string_view text) {
  if (text.ends_with('i')) return Amount::Format::kBinary;
  const bool exponent = is_digit(text.back()) && text.find_first_of("eE") != text.npos;
  return exponent ? Amount::Format::kExponent : Amount::Format::kDecimal;
}

std::string binary_text(int64_t number) {
  constexpr std::array kNames = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  size_t name = 0;
  for (; number % kKibi == 0 && name + 1 < kNames.size(); ++name) number /= kKibi;
  return std::to_string(number) + kNames[name];
}

std::string decimal_text(const Quantity& quantity, Amount::Format format) {
  constexpr std::string_view kNames[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  constexpr size_t kUnit = 3;  // where 10^0 is
  std::string text = quantity.to_string();
  size_t name = kUnit;
  if (!is_digit(text.back())) {
    name = static_cast<size_t>(std::ranges::find(kNames, text.substr(text.size() - 1)) -
                               std::begin(kNames));
    text.pop_back();
  }
  for (; text.ends_with("000") && name + 1 < std::size(kNames); ++name)
    text.resize(text.size() - 3);
  if (format != Amount::Format::kExponent || name == kUnit) return text.append(kNames[name]);
  return text + 'e' + std::to_string((static_cast<int>(name) - static_cast<int>(kUnit)) * 3);
}

}  // namespace

std::optional<Amount> Amount::parse(std::string_view text) {
  const std::optional<Quantity> quantity = Quantity::parse(text);
  if (!quantity) return std::nullopt;
  return Amount{*quantity, format_of(text)};
}

Amount Amount::bytes(int64_t number) { return {Quantity::from_units(number), Format::kBinary}; }

Amount Amount::count(int64_t number) { return {Quantity::from_units(number), Format::kDecimal}; }

Amount& Amount::operator+=(const Amount& other) {
  if (quantity.zero()) format = other.format;
  quantity += other.quantity;
  return *this;
}

std::string Amount::to_string() const {
  if (quantity.zero()) return "0";
  const int64_t number = quantity.value();
  const bool whole = Quantity::from_units(number) == quantity;
  if (format == Format::kBinary && whole && (number >= kKibi || number <= -kKibi))
    return binary_text(number);
  return decimal_text(quantity, format);
}

const Amount* find(const Amounts& amounts, std::string_view resource) {
  const auto at = std::ranges::lower_bound(amounts, resource, {}, &Amounts::value_type::first);
  return at == amounts.end() || at->first != resource ? nullptr : &at->second;
}

}  // namespace berth::controllers::kubelet
