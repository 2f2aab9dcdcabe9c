#include "loadgen/workload/fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/base/text/characters.h"
#include "engine/model/objects/quantity.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr size_t kMostShown = 60;
constexpr size_t kLongestName = 40;
// Faults after this many are dropped: one mistake can repeat in a thousand owners.
constexpr uint64_t kMostFaults = 100;

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int64_t> thousandths(std::string_view text) {
  const std::optional<model::Quantity> quantity = model::Quantity::parse(text);
  if (!quantity) return std::nullopt;
  return quantity->milli_value();
}

std::string_view example_of(Unit unit) {
  switch (unit) {
    case Unit::kCount:
      return "a whole number";
    case Unit::kQuantity:
      return "a quantity such as 500m or 16Gi";
    case Unit::kDuration:
      return "a time such as 250ms or 1h30m";
  }
  return {};
}

std::string shown(int64_t amount, Unit unit) {
  if (unit == Unit::kCount) return std::to_string(amount);
  if (unit == Unit::kQuantity) return model::Quantity::from_milli(amount).to_string();
  return fmt::format("{}ns", amount);
}

struct TimeUnit {
  std::string_view name;
  int64_t nanoseconds;
};
constexpr TimeUnit kTimeUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"d", 86'400'000'000'000},
};

// Removes leading digits from `text`; nullopt if there are none or too many.
std::optional<int64_t> take_digits(std::string_view& text, size_t* count = nullptr) {
  size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  constexpr size_t kMostDigits = 18;
  if (length == 0 || length > kMostDigits) return std::nullopt;
  const std::optional<int64_t> number = whole_number(text.substr(0, length));
  text.remove_prefix(length);
  if (count != nullptr) *count = length;
  return number;
}

// Removes a number with unit, such as 1.5s, from the front. Returns nanoseconds.
std::optional<int64_t> take_time(std::string_view& text) {
  const std::optional<int64_t> whole = take_digits(text);
  if (!whole) return std::nullopt;
  int64_t fraction = 0, scale = 1;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    size_t digits = 0;
    const std::optional<int64_t> behind = take_digits(text, &digits);
    constexpr size_t kFinest = 9;
    if (!behind || digits > kFinest) return std::nullopt;
    fraction = *behind;
    for (size_t i = 0; i < digits; ++i) scale *= 10;
  }
  size_t letters = 0;
  while (letters < text.size() && text[letters] >= 'a' && text[letters] <= 'z') ++letters;
  const auto* unit = std::ranges::find(kTimeUnits, text.substr(0, letters), &TimeUnit::name);
  if (unit == std::end(kTimeUnits)) return std::nullopt;
  text.remove_prefix(letters);
  __extension__ using Wide = __int128;
  const Wide time = Wide(*whole) * unit->nanoseconds + Wide(fraction) * unit->nanoseconds / scale;
  if (time > Distribution::kMost) return std::nullopt;
  return static_cast<int64_t>(time);
}

Value element_of(Value array, std::string_view index) {
  const std::optional<int64_t> number = whole_number(index);
  int64_t at = 0;
  for (const Value element : array.elements())
    if (at++ == number) return element;
  return {};
}

// Follows the first step of a path such as labels[example.com/a] or items[3].spec, and removes it
// from `path`.
Value take_step(Value from, std::string_view& path) {
  const bool in_brackets = path.front() == '[';
  const size_t end = std::min(in_brackets ? path.find(']') : path.find_first_of(".["), path.size());
  const std::string_view name = in_brackets ? path.substr(1, end - 1) : path.substr(0, end);
  const Value to = in_brackets && from.is(Kind::kArray) ? element_of(from, name) : from.find(name);
  if (!to.present()) return to;
  path.remove_prefix(std::min(end + (in_brackets ? 1 : 0), path.size()));
  if (path.starts_with('.')) path.remove_prefix(1);
  return to;
}

}  // namespace

std::optional<int64_t> parse_duration(std::string_view text) {
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  int64_t sum = 0;
  while (!text.empty()) {
    const std::optional<int64_t> part = take_time(text);
    if (!part || *part > Distribution::kMost - sum) return std::nullopt;
    sum += *part;
  }
  return sum;
}

std::string expected(std::string_view what, Value found) {
  std::string text = !found.present() ? "nothing" : document::to_json(found);
  if (found.is(Kind::kObject)) text = "an object";
  if (found.is(Kind::kArray)) text = "an array";
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "...";
  return fmt::format("expected {}, found {}", what, text);
}

void FieldContext::report(Value at, std::string message, std::string_view missing) {
  faultless_ = false;
  if (diagnostics_.count() >= kMostFaults) return;
  Place place = at.place();
  place.field = at.path();
  if (!missing.empty()) {
    if (!place.field.empty()) place.field += '.';
    place.field += missing;
  }
  diagnostics_.report(Error(std::move(place), std::move(message)));
}

void FieldContext::report_path(Value root, std::string_view path, std::string message) {
  Value at = root;
  while (!path.empty()) {
    const Value next = take_step(at, path);
    if (!next.present()) break;
    at = next;
  }
  report(at, std::move(message), path);
}

std::optional<std::string> FieldContext::scalar(Value value, std::string_view what) {
  if (value.is(Kind::kNumber)) return std::string(value.number_text());
  if (!value.is(Kind::kString)) {
    report(value, expected(what, value));
    return std::nullopt;
  }
  std::string text(value.as_string());
  if (!text.starts_with('$')) return text;
  const std::string name = text.substr(1);
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    std::string known;
    for (const auto& [other, number] : parameters_) known += (known.empty() ? "" : ", ") + other;
    report(value, fmt::format("there is no parameter \"{}\"; `parameters` has {}", name,
                              known.empty() ? "none" : known));
    return std::nullopt;
  }
  used_.insert(name);
  return found->second;
}

std::optional<int64_t> FieldContext::amount(Value value, Unit unit, int64_t low, int64_t high) {
  const std::optional<std::string> text = scalar(value, example_of(unit));
  if (!text) return std::nullopt;
  const std::optional<int64_t> number = unit == Unit::kCount      ? whole_number(*text)
                                        : unit == Unit::kQuantity ? thousandths(*text)
                                                                  : parse_duration(*text);
  if (number && *number >= low && *number <= high) return number;
  std::string found = document::to_json(value);
  if (value.is(Kind::kString) && value.as_string().starts_with('$')) found += " = " + *text;
  std::string bounds = fmt::format(" of {} or more", shown(low, unit));
  if (high != Distribution::kMost)
    bounds = fmt::format(" from {} to {}", shown(low, unit), shown(high, unit));
  report(value, fmt::format("expected {}{}, found {}", example_of(unit), bounds, found));
  return std::nullopt;
}

std::optional<double> FieldContext::real(Value value, double low, double high) {
  const std::string what = high == std::numeric_limits<double>::max()
                               ? fmt::format("a number of {} or more", low)
                               : fmt::format("a number from {} to {}", low, high);
  const std::optional<std::string> text = scalar(value, what);
  if (!text) return std::nullopt;
  double number = 0;
  const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error == std::errc() && stop == text->data() + text->size() && number >= low &&
      number <= high)
    return number;
  report(value, expected(what, value));
  return std::nullopt;
}

Fields::Fields(Value value, FieldContext& context)
    : AskedFields(value, Names::kAsWritten), context_(&context) {
  if (value.present() && !value.is(Kind::kObject))
    context.report(value, expected("an object", value));
}

void Fields::missing(std::string_view name, std::string message) {
  // A value that is not an object was reported already.
  if (value().is(Kind::kObject)) context_->report(value(), std::move(message), name);
}

std::vector<Value> Fields::list(std::string_view name) {
  const Value array = at(name);
  if (array.present() && !array.is(Kind::kArray))
    context_->report(array, expected("a list", array));
  const document::Elements elements = array.elements();
  return {elements.begin(), elements.end()};
}

std::vector<document::Member> Fields::members(std::string_view name) {
  const Value object = at(name);
  if (object.present() && !object.is(Kind::kObject))
    context_->report(object, expected("an object", object));
  const document::Members members = object.members();
  return {members.begin(), members.end()};
}

std::string Fields::text(std::string_view name, std::string fallback) {
  const Value value = at(name);
  if (!value.present()) return fallback;
  if (value.is(Kind::kString)) return std::string(value.as_string());
  context_->report(value, expected("a string", value));
  return fallback;
}

bool Fields::boolean(std::string_view name, bool fallback) {
  const Value value = at(name);
  if (!value.present()) return fallback;
  if (value.is(Kind::kBoolean)) return value.as_bool();
  context_->report(value, expected("true or false", value));
  return fallback;
}

uint64_t Fields::count(std::string_view name, uint64_t low, uint64_t high, uint64_t fallback) {
  const Value value = at(name);
  if (!value.present()) return fallback;
  return static_cast<uint64_t>(
      context_->amount(value, Unit::kCount, static_cast<int64_t>(low), static_cast<int64_t>(high))
          .value_or(static_cast<int64_t>(fallback)));
}

int64_t Fields::duration(std::string_view name, int64_t low, int64_t fallback) {
  const Value value = at(name);
  if (!value.present()) return fallback;
  return context_->amount(value, Unit::kDuration, low).value_or(fallback);
}

double Fields::real(std::string_view name, double low, double high, double fallback) {
  const Value value = at(name);
  return value.present() ? context_->real(value, low, high).value_or(fallback) : fallback;
}

std::string Fields::name(std::string_view field) {
  const Value value = at(field);
  if (!value.present()) {
    missing(field, "a name is missing");
    return {};
  }
  const std::string text = this->text(field);
  const auto inside = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-'; };
  const bool right = !text.empty() && text.size() <= kLongestName &&
                     std::ranges::all_of(text, inside) && text.front() != '-' && text.back() != '-';
  if (!right && value.is(Kind::kString))
    context_->report(value, expected(fmt::format("a name of at most {} small letters, digits and "
                                                 "-, with a letter or digit at both ends",
                                                 kLongestName),
                                     value));
  return text;
}

void Fields::done() {
  std::vector<std::string> known = asked();
  std::ranges::sort(known);
  for (const document::Member& member : unknown())
    context_->report(member.key_value, fmt::format("there is no field \"{}\" here; there are {}",
                                                   member.key, fmt::join(known, ", ")));
}

}  // namespace berth::loadgen
