#pragma once

// An object of a file of which each field is asked for by name, so that what nobody asked for is
// known in the end.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace berth::loadgen {

bool equal_ignoring_case(std::string_view a, std::string_view b);

class AskedFields {
 public:
  enum class Names : uint8_t { kAsWritten, kInAnyCase };

  // What is no object, or absent, has no fields.
  AskedFields(document::Value object, Names names) : object_(object), names_(names) {}

  document::Value value() const { return object_; }
  // Absent if it is absent or null. One that is written as asked goes before others.
  document::Value at(std::string_view name);
  // Once each, in the order in which they were asked for.
  const std::vector<std::string>& asked() const { return asked_; }
  // The members that nobody asked for.
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
