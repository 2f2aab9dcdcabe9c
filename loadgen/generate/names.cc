#include "loadgen/generate/names.h"

#include <algorithm>

namespace berth::loadgen {
namespace {

// The alphabet without vowels and without characters that look alike. Source: k8s.io/apimachinery
// pkg/util/rand.
constexpr char kCharacters[] = "bcdfghjklmnpqrstvwxz2456789";
constexpr uint64_t kBase = sizeof kCharacters - 1;
constexpr uint64_t kSuffixes = kBase * kBase * kBase * kBase * kBase;
// Coprime to 27^5, so that multiplication by it is a permutation.
constexpr uint64_t kStride = 8'867'489;
constexpr uint64_t kBeginning = 5'210'911;
static_assert(kStride % 3 != 0);

// True if numbered_name creates this name for a number below `count`.
bool is_numbered(const NumberedName& name, uint64_t count) {
  constexpr size_t kMostDigits = 18;
  const bool plain = name.digits == "0" || name.digits.front() != '0';
  return plain && name.digits.size() <= kMostDigits && std::stoull(name.digits) < count;
}

}  // namespace

void append_suffix(uint64_t number, std::string& out) {
  uint64_t rest = (number % kSuffixes * kStride + kBeginning) % kSuffixes;
  char text[5];
  for (char& c : text) {
    c = kCharacters[rest % kBase];
    rest /= kBase;
  }
  out.append(text, sizeof text);
}

void append_number(uint64_t number, size_t width, std::string& out) {
  constexpr size_t kMostDigits = 20;
  char text[kMostDigits];
  size_t at = kMostDigits;
  do {
    text[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (kMostDigits - at < width) text[--at] = '0';
  out.append(text + at, kMostDigits - at);
}

std::string numbered_name(const std::string& name, uint64_t count, uint64_t number) {
  return count == 1 ? name : name + '-' + std::to_string(number);
}

std::optional<NumberedName> split_number(const std::string& name) {
  const size_t dash = name.rfind('-');
  if (dash == std::string::npos || dash + 1 == name.size()) return std::nullopt;
  NumberedName parts{name.substr(0, dash), name.substr(dash + 1)};
  const bool digits =
      std::ranges::all_of(parts.digits, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::optional(std::move(parts)) : std::nullopt;
}

std::optional<std::string> NumberedNames::taken(const std::string& name, uint64_t count) const {
  if (const auto same = counts_.find(name); same != counts_.end()) {
    if (count == 1 && same->second == 1) return name;
    if (count > 1 && same->second > 1) return numbered_name(name, count, 0);
  }
  if (count == 1) {
    const std::optional<NumberedName> own = split_number(name);
    const auto several = own ? counts_.find(own->name) : counts_.end();
    const bool has = several != counts_.end() && several->second > 1;
    return has && is_numbered(*own, several->second) ? std::optional(name) : std::nullopt;
  }
  const std::string beginning = name + '-';
  for (auto at = counts_.lower_bound(beginning);
       at != counts_.end() && at->first.starts_with(beginning); ++at) {
    const std::optional<NumberedName> other = split_number(at->first);
    if (at->second == 1 && other && other->name == name && is_numbered(*other, count))
      return at->first;
  }
  return std::nullopt;
}

std::optional<std::string> NumberedNames::add(const std::string& name, uint64_t count) {
  if (name.empty()) return std::nullopt;
  if (counts_.contains(name)) return name;
  std::optional<std::string> before = taken(name, count);
  counts_.emplace(name, count);
  return before;
}

std::string template_hash(uint64_t bits) {
  constexpr size_t kLength = 10;
  std::string text;
  for (size_t i = 0; i < kLength; ++i) {
    text += kCharacters[bits % kBase];
    bits /= kBase;
  }
  return text;
}

}  // namespace berth::loadgen
