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
  // The fields of a type are consecutive and sorted by name. The first entry of a type is not a
  // field and has no name.
  struct Field {
    std::string_view name;
    uint16_t type = kOpaque;  // the type of its value, or of the elements of an array
  };
  // The type of values without known fields: scalars, and maps with arbitrary keys such as labels.
  static constexpr uint16_t kOpaque = UINT16_MAX;

  // The table, built at the first call and immutable. Thread-safe.
  static const ApiFields& get();

  // The number of a type ("Pod", "Container"). Requires: the type is in the table.
  uint16_t type(std::string_view name) const;

  // The entries of all types. Those of `type` are [begin(type), end(type)), the first without a
  // name.
  const std::vector<Field>& fields() const { return fields_; }
  uint16_t begin(uint16_t type) const { return begins_[type]; }
  uint16_t end(uint16_t type) const { return begins_[type + 1u]; }
  std::string_view name(uint16_t type) const { return names_[type]; }

 private:
  ApiFields();

  std::vector<std::string_view> names_;  // of the types, in the order of the table
  std::vector<uint16_t> begins_;         // one more than types
  std::vector<Field> fields_;
};

}  // namespace berth::ingest
