// Prints the layout of the ABI, one name on a line, as the compilers see the headers:
//
//   berth_filter = struct that grows, since 1.0
//   berth_filter size in 1.0 = 32 bytes, since 1.0
//   berth_filter.hook = at 8, 8 bytes, berth_hook const*, since 1.0
//   BERTH_SKIP = 5, int, since 1.0
//   BERTH_FILTER = "berth.filter/0", since 1.0
//   berth_code = int, since 1.0
//
// Ends with status 1 if C and C++ differ, or an entry is newer than BERTH_ABI_MINOR.

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "layout_entries.h"

namespace {

enum class Kind { kStruct, kMember, kNumber, kText, kType };

struct Entry {
  Kind kind;
  const char* name;
  const char* member;
  layout_numbers numbers;
  const std::type_info* type;
  const char* text;
  int minor;
};

#define STRUCT(type, minor) \
  {Kind::kStruct, #type, "", {sizeof(type), alignof(type)}, &typeid(type), "", minor},
#define MEMBER(type, member, minor)                \
  {Kind::kMember,                                  \
   #type,                                          \
   #member,                                        \
   {offsetof(type, member), sizeof(type::member)}, \
   &typeid(decltype(type::member)),                \
   "",                                             \
   minor},
#define NUMBER(name, minor)                                                       \
  {Kind::kNumber,                                                                 \
   #name,                                                                         \
   "",                                                                            \
   {static_cast<uint64_t>(name), std::is_unsigned_v<decltype(name)> ? 1ul : 0ul}, \
   &typeid(decltype(name)),                                                       \
   "",                                                                            \
   minor},
#define TEXT(name, minor) \
  {Kind::kText, #name, "", {sizeof(name), 0}, &typeid(decltype(name)), name, minor},
#define TYPE(name, minor) {Kind::kType, #name, "", {sizeof(name), 0}, &typeid(name), "", minor},

const Entry kEntries[] = {
#include "berth_layout_entries.inc"
};

std::string readable(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string made = status == 0 ? text : type.name();
  std::free(text);
  return made;
}

// A struct with its members.
struct Struct {
  const Entry* whole;
  std::vector<const Entry*> members;

  bool grows() const {
    return !members.empty() && std::strcmp(members[0]->member, "size") == 0 &&
           *members[0]->type == typeid(uint32_t);
  }
  // The size that it had in a minor version.
  uint64_t size_in(int minor) const {
    uint64_t end = 0;
    for (const Entry* member : members) {
      if (member->minor <= minor) end = std::max(end, member->numbers.a + member->numbers.b);
    }
    const uint64_t alignment = whole->numbers.b;
    return (end + alignment - 1) / alignment * alignment;
  }
};

void print(const Struct& that) {
  const char* name = that.whole->name;
  if (that.grows()) {
    std::printf("%s = struct that grows, since 1.%d\n", name, that.whole->minor);
    std::set<int> minors = {that.whole->minor};
    for (const Entry* member : that.members) minors.insert(member->minor);
    for (const int minor : minors) {
      std::printf("%s size in 1.%d = %lu bytes, since 1.%d\n", name, minor, that.size_in(minor),
                  minor);
    }
  } else {
    std::printf("%s = struct, %lu bytes, since 1.%d\n", name, that.whole->numbers.a,
                that.whole->minor);
  }
  for (const Entry* member : that.members) {
    std::printf("%s.%s = at %lu, %lu bytes, %s, since 1.%d\n", name, member->member,
                member->numbers.a, member->numbers.b, readable(*member->type).c_str(),
                member->minor);
  }
}

void print(const Entry& entry) {
  std::printf("%s = ", entry.name);
  if (entry.kind == Kind::kText) {
    std::printf("\"%s\"", entry.text);
  } else if (entry.kind == Kind::kType) {
    std::printf("%s", readable(*entry.type).c_str());
  } else if (entry.numbers.b != 0) {
    std::printf("%lu, %s", entry.numbers.a, readable(*entry.type).c_str());
  } else {
    std::printf("%ld, %s", static_cast<int64_t>(entry.numbers.a), readable(*entry.type).c_str());
  }
  std::printf(", since 1.%d\n", entry.minor);
}

bool check(const Entry& entry, const layout_numbers& in_c) {
  if (entry.numbers.a != in_c.a || entry.numbers.b != in_c.b) {
    std::fprintf(stderr, "%s %s: C has %lu and %lu, C++ has %lu and %lu\n", entry.name,
                 entry.member, in_c.a, in_c.b, entry.numbers.a, entry.numbers.b);
    return false;
  }
  if (entry.minor > BERTH_ABI_MINOR) {
    std::fprintf(stderr, "%s %s: since ABI 1.%d, but BERTH_ABI_MINOR is %d\n", entry.name,
                 entry.member, entry.minor, BERTH_ABI_MINOR);
    return false;
  }
  return true;
}

bool check_all() {
  bool good = std::size(kEntries) == layout_in_c_count;
  for (size_t i = 0; good && i < std::size(kEntries); ++i)
    good = check(kEntries[i], layout_in_c[i]);
  return good;
}

}  // namespace

int main() {
  if (!check_all()) return 1;
  for (const Entry* entry = std::begin(kEntries); entry != std::end(kEntries);) {
    if (entry->kind != Kind::kStruct) {
      print(*entry++);
      continue;
    }
    Struct whole{entry++, {}};
    while (entry != std::end(kEntries) && entry->kind == Kind::kMember)
      whole.members.push_back(entry++);
    print(whole);
  }
}
