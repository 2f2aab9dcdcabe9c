#include "engine/ingest/validation/duplicate_keys.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ingest/validation/seen_texts.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Member;
using document::Value;

// A number below 64 in which two short keys usually differ.
unsigned slot_of(std::string_view key) {
  if (key.empty()) return 0;
  const auto at = [&](size_t i) { return static_cast<unsigned char>(key[i]); };
  return (at(0) * 7u + at(key.size() / 2) * 5u + at(key.size() - 1) * 3u + unsigned(key.size())) %
         64u;
}

// False for nearly all objects without a duplicate.
bool may_repeat(Value object) {
  uint64_t slots = 0;
  for (const Member member : object.members()) {
    const uint64_t slot = uint64_t{1} << slot_of(member.key);
    if ((slots & slot) != 0) return true;
    slots |= slot;
  }
  return false;
}

uint32_t first_line(Value object, std::string_view key) {
  for (const Member member : object.members())
    if (member.key == key) return member.key_value.position().line;
  return 0;
}

// The path of a member from the object that is read.
std::string path_in(Value root, Value value) {
  const std::string whole = root.path();
  std::string path = value.path();
  if (!whole.empty()) path.erase(0, whole.size() + 1);
  return path;
}

class Finder {
 public:
  Finder(Value root, Faults& faults) : root_(root), faults_(faults) {}

  // The depth of the recursion is that of the document, which document::Limits bounds.
  void visit(Value value) {
    if (value.is(Kind::kObject)) {
      if (may_repeat(value)) compare(value);
      for (const Member member : value.members()) visit(member.value);
    } else if (value.is(Kind::kArray)) {
      for (const Value element : value.elements()) visit(element);
    }
  }

  // The members of this object alone.
  void compare(Value object) {
    SeenTexts keys;
    for (const Member member : object.members()) {
      if (keys.add(member.key)) continue;
      if (!faults_.kept()) {
        faults_.report_field(member.key_value, {}, "duplicate field");
        continue;
      }
      faults_.report_field(member.key_value, member.value.path(),
                           "duplicate field \"" + path_in(root_, member.value) +
                               "\"; the first is in line " +
                               std::to_string(first_line(object, member.key)));
    }
  }

 private:
  Value root_;
  Faults& faults_;
};

}  // namespace

void report_duplicate_keys(Value object, Faults& faults) { Finder(object, faults).visit(object); }

void report_own_duplicate_keys(Value object, Faults& faults) {
  Finder(object, faults).compare(object);
}

}  // namespace berth::ingest
