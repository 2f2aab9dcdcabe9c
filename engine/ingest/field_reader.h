#pragma once

// Reads the fields of one Kubernetes object, with the path of each, and reports what is wrong. After the first
// fault of an object the object is lost, but reading goes on, so that all its faults are reported at once.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/model/objects.h"

namespace berth::ingest {

class FieldReader {
 public:
  FieldReader(document::Value value, std::string path, Diagnostics& diagnostics, bool& good)
      : value_(value), path_(std::move(path)), diagnostics_(diagnostics), good_(good) {}

  // Whether the field is there and not null.
  bool has(std::string_view name) const;
  // The object at `name`; absent or null reads as an empty one, anything else is a fault.
  FieldReader object(std::string_view name) const;
  // Calls visit(FieldReader) for each element of an array of objects.
  template <typename Visit>
  void each(std::string_view name, Visit&& visit) const {
    document::Value array = typed(name, document::Kind::kArray);
    size_t i = 0;
    for (document::Value element : array.elements()) {
      FieldReader reader(element, below(name) + "[" + std::to_string(i++) + "]", diagnostics_, good_);
      if (reader.expect(document::Kind::kObject)) visit(reader);
    }
  }

  // Absent and null read as the default.
  std::string text(std::string_view name) const;
  bool boolean(std::string_view name) const;
  std::optional<int64_t> integer(std::string_view name, int64_t minimum, int64_t maximum) const;
  std::optional<int32_t> integer32(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  model::StringMap string_map(std::string_view name) const;     // sorted by key
  model::ResourceList resources(std::string_view name) const;   // sorted by name; no negative ones

  void fault(std::string_view name, std::string message) const;
  const std::string& path() const { return path_; }
  document::Value value() const { return value_; }

 private:
  std::string below(std::string_view name) const;
  bool expect(document::Kind kind) const;
  // The value of that kind; absent if it is absent, null or of another kind, which is a fault.
  document::Value typed(std::string_view name, document::Kind kind) const;
  std::optional<model::Quantity> quantity(document::Value value, const std::string& path) const;
  void report(document::Value at, const std::string& path, std::string message) const;

  document::Value value_;
  std::string path_;
  Diagnostics& diagnostics_;
  bool& good_;
};

}  // namespace berth::ingest
