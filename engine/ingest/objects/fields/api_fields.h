#pragma once

// The fields of Pods and Nodes, and of everything within them, in the Kubernetes API v1.34.
// Internal to this module.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace berth::ingest {

class ApiFields {
 public:
  // The fields of a type are consecutive and sorted by name. The first entry of a type is not a
  // field and has no name.
  struct Field {
    uint16_t name = 0;  // where it begins in the text of the table
    uint16_t name_size = 0;
    uint16_t type = kOpaque;  // the type of its value, or of the elements of an array
  };
  // The type of values without known fields: scalars, and maps with arbitrary keys such as labels.
  static constexpr uint16_t kOpaque = UINT16_MAX;

  // The table, built at compile time and immutable. Thread-safe.
  static const ApiFields& get();

  // The number of a type ("Pod", "Container"). Nothing: its fields are not in the table.
  std::optional<uint16_t> type(std::string_view name) const;
  std::string_view type_name(uint16_t type) const { return name_at(types_[type]); }

  // The entries of all types. Those of `type` are [begin(type), end(type)), the first without a
  // name.
  uint16_t size() const { return static_cast<uint16_t>(fields_.size()); }
  const Field& field(uint16_t field) const { return fields_[field]; }
  std::string_view name(uint16_t field) const { return name_at(fields_[field]); }
  uint16_t begin(uint16_t type) const { return begins_[type]; }
  uint16_t end(uint16_t type) const { return begins_[type + 1u]; }

 private:
  constexpr ApiFields(const char* text, std::span<const Field> types,
                      std::span<const uint16_t> begins, std::span<const Field> fields)
      : text_(text), types_(types), begins_(begins), fields_(fields) {}

  std::string_view name_at(const Field& entry) const {
    return {text_ + entry.name, entry.name_size};
  }

  const char* text_;
  std::span<const Field> types_;      // their names, in the order of the table
  std::span<const uint16_t> begins_;  // one more than types
  std::span<const Field> fields_;
};

}  // namespace berth::ingest
