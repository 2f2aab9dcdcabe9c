#include "engine/ingest/objects/fields/quantity_field.h"

#include <limits>
#include <string>

#include "engine/base/text/characters.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;
using model::Quantity;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

std::string_view quantity_text(Value value) {
  if (value.is(Kind::kNumber)) return value.number_text();
  if (!value.is(Kind::kString)) return {};
  // Surrounding blanks are not part of the grammar, but the API trims them.
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  std::string_view text = value.as_string();
  if (!text.empty() && text.front() > ' ' && text.back() > ' ') return text;
  size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

Quantity rounded_to_milli(const Quantity& quantity) {
  return quantity < Quantity::from_milli(kMost) ? Quantity::from_milli(quantity.milli_value())
                                                : quantity;
}

// The amounts that were meant by one with a unit as people write it: "1gb" is 1G or 1Gi. Empty: the
// text has no such unit.
std::string meant_quantity(std::string_view text) {
  constexpr size_t kLongest = 32;
  const size_t behind = text.find_last_of("0123456789") + 1;  // 0 if there is none
  if (text.size() > kLongest || behind == 0) return {};
  std::string unit = lower(text.substr(behind));
  unit.erase(0, unit.find_first_not_of(' '));
  if (unit.ends_with('b')) unit.pop_back();
  const bool binary = unit.ends_with('i');
  if (unit.size() != (binary ? 2 : 1) || std::string_view("kmgtpe").find(unit[0]) == unit.npos)
    return {};
  const std::string number(text.substr(0, behind));
  const char upper = static_cast<char>(unit[0] - 'a' + 'A');
  const std::string in_binary = number + upper + "i";
  if (!Quantity::parse(in_binary)) return {};
  const std::string in_decimal = number + (upper == 'K' ? 'k' : upper);
  return binary ? in_binary : in_decimal + " or " + in_binary;
}

}  // namespace

std::optional<Quantity> read_quantity(Value value, std::string_view resource, Defaults defaults,
                                      Faults& faults) {
  if (value.is(Kind::kNull)) return Quantity();
  std::optional<Quantity> quantity = Quantity::parse(quantity_text(value));
  if (!quantity) {
    const std::string meant = meant_quantity(quantity_text(value));
    faults.report(value, "expected a quantity such as 500m, 2 or 4Gi, found " + described(value) +
                             (meant.empty() ? "" : "; did you mean " + meant + "?"));
    return std::nullopt;
  }
  if (quantity->negative()) {
    faults.report(value, "Invalid value: " + document::quoted(quantity_text(value)) +
                             ": must be greater than or equal to 0");
    return std::nullopt;
  }
  bool cpu = resource == "cpu";
  if (*quantity > (cpu ? Quantity::from_milli(kMost) : Quantity::from_units(kMost))) {
    faults.report(value, "more than " + std::to_string(cpu ? kMost / 1000 : kMost) + ", found " +
                             described(value));
    return std::nullopt;
  }
  return defaults == Defaults::kApiServer ? rounded_to_milli(*quantity) : *quantity;
}

}  // namespace berth::ingest
