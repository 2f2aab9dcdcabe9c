#include "loadgen/names.h"

namespace berth::loadgen {
namespace {

// Source: k8s.io/apimachinery pkg/util/rand: no vowels, and no characters that look like them.
constexpr char kCharacters[] = "bcdfghjklmnpqrstvwxz2456789";
constexpr uint64_t kBase = sizeof kCharacters - 1;
constexpr uint64_t kSuffixes = kBase * kBase * kBase * kBase * kBase;
// Without a factor in common with 27^5, so that multiplying by it is a permutation.
constexpr uint64_t kStride = 8'867'489;
constexpr uint64_t kBeginning = 5'210'911;
static_assert(kStride % 3 != 0);

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
