#include "engine/ingest/workloads/pod_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
constexpr size_t kSuffix = 5;
constexpr uint64_t kSuffixes = 14'348'907;  // 27 to the power of kSuffix
constexpr uint64_t kStep = 7'368'787;       // no multiple of 3, so that all suffixes come
constexpr size_t kLongestBase = 63 - kSuffix;

// The value as JSON whose members are sorted by key. The depth of the recursion is that of the
// document, which document::Limits bounds.
void append_sorted(Value value, std::string& out) {
  if (value.is(Kind::kArray)) {
    out += '[';
    for (const Value element : value.elements()) {
      append_sorted(element, out);
      out += ',';
    }
    out += ']';
    return;
  }
  if (!value.is(Kind::kObject)) {
    out += document::to_json(value);
    return;
  }
  std::vector<document::Member> members;
  for (const document::Member member : value.members()) members.push_back(member);
  std::ranges::stable_sort(members, {}, &document::Member::key);
  out += '{';
  for (const document::Member& member : members) {
    if (member.value.is(Kind::kNull)) continue;
    out += member.key;
    out += ':';
    append_sorted(member.value, out);
    out += ',';
  }
  out += '}';
}

}  // namespace

uint32_t name_hash(std::string_view text) {
  uint32_t hash = 2'166'136'261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619u;
  return hash;
}

std::string safe_encoded(uint32_t number) {
  std::string text = std::to_string(number);
  for (char& c : text) c = kAlphabet[static_cast<unsigned char>(c) % kAlphabet.size()];
  return text;
}

std::string template_hash(Value pod_template) {
  std::string text;
  append_sorted(pod_template, text);
  return safe_encoded(name_hash(text));
}

std::string generated_name(std::string base, uint32_t seed, uint64_t ordinal) {
  if (base.size() > kLongestBase) base.resize(kLongestBase);
  uint64_t number = (seed + ordinal % kSuffixes * kStep) % kSuffixes;
  for (size_t i = 0; i < kSuffix; ++i) {
    base += kAlphabet[number % kAlphabet.size()];
    number /= kAlphabet.size();
  }
  return base;
}

std::string made_uid(std::string_view kind, std::string_view namespace_name,
                     std::string_view name) {
  const std::string text = fmt::format("{}/{}/{}", kind, namespace_name, name);
  const uint32_t a = name_hash(text), b = name_hash(text + "\n1"), c = name_hash(text + "\n2"),
                 d = name_hash(text + "\n3");
  // Version 8 of RFC 9562: of the maker's own kind.
  return fmt::format("{:08x}-{:04x}-8{:03x}-8{:03x}-{:04x}{:08x}", a, b >> 16, b & 0xfff, c & 0xfff,
                     c >> 16, d);
}

void set_label(model::StringMap& labels, std::string_view key, std::string_view value) {
  auto at = std::ranges::lower_bound(
      labels, key, {}, [](const auto& label) { return std::string_view(label.first); });
  if (at == labels.end() || at->first != key) at = labels.insert(at, {std::string(key), {}});
  at->second = value;
}

}  // namespace berth::ingest
