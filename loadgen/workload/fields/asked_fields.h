#pragma once

// An object that remembers which of its fields were read, so that the others can be reported as
// unknown.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace berth::loadgen {

// ASCII only.
bool equal_ignoring_case(std::string_view a, std::string_view b);

class AskedFields {
 public:
  // The comparison of a field's name with the name that is asked for.
  enum class Names : uint8_t { kAsWritten, kInAnyCase };

  // A value that is absent or not an object has no fields.
  AskedFields(document::Value object, Names names) : object_(object), names_(names) {}

  document::Value value() const { return object_; }
  // The field of that name, or an absent value if it is absent or null. An exact match takes
  // precedence over one in another case.
  document::Value at(std::string_view name);
  // The names passed to at(), each once, in order of the first call.
  const std::vector<std::string>& asked() const { return asked_; }
  // The members that at() was never asked for.
  std::vector<document::Member> unknown() const;

 private:
  bool is(std::string_view key, std::string_view name) const {
    return names_ == Names::kInAnyCase ? equal_ignoring_case(key, name) : key == name;
  }

  document::Value object_;
  Names names_;
  std::vector<std::string> asked_;
};

}  // namespace berth::loadgen
