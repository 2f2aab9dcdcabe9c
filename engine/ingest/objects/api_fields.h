#pragma once

// The fields of Pods and Nodes, and of everything within them, in the Kubernetes API v1.34.
// Internal to this module.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace berth::ingest {

class ApiFields {
 public:
  // A type has its fields one behind the other, sorted by name. The first entry of a type is no
  // field and has no name.
  struct Field {
    std::string_view name;
    uint16_t type = kOpaque;  // of its value, or of its elements if it is an array
  };
  // Of values that have no fields of their own, or any, such as labels.
  static constexpr uint16_t kOpaque = UINT16_MAX;

  // Any thread may call it.
  static const ApiFields& get();

  // Requires: the type is in the table.
  uint16_t type(std::string_view name) const;

  const std::vector<Field>& fields() const { return fields_; }
  uint16_t begin(uint16_t type) const { return begins_[type]; }  // its entry without a name
  uint16_t end(uint16_t type) const { return begins_[type + 1u]; }
  std::string_view name(uint16_t type) const { return names_[type]; }

 private:
  ApiFields();

  std::vector<std::string_view> names_;  // of the types, in the order of the table
  std::vector<uint16_t> begins_;         // one more than types
  std::vector<Field> fields_;
};

}  // namespace berth::ingest
