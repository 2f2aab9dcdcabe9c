#pragma once

// Strict reading of a document: every member is known or a fault, every value has its kind or is a
// fault. As for kube-scheduler, null means "not set" everywhere.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "engine/config/read/faults.h"
#include "engine/document/document.h"

namespace berth::config {

// A value with its path from the root of the configuration, profiles[0].plugins.
struct Node {
  document::Value value;
  std::string path;

  bool set() const { return value.present() && !value.is(document::Kind::kNull); }
  Place place() const;  // of the value, with the path as its field

  Node element(document::Value element, size_t index) const;
  Node member(document::Value member, std::string_view name) const;
};

// Where the value at `path` stands, or if there is none the nearest value around it; the field is
// `path`.
Place place_at(document::Value root, std::string_view path);

struct Field {
  std::string_view name;
  std::function<void(const Node&)> read;  // called if the member is there, in the order of the file
};

// The readers report what is wrong and then answer as if the value were not set.
class Reader {
 public:
  explicit Reader(Faults& faults) : faults_(faults) {}

  // False if it is set but no object. Members that are no field and members that occur twice are
  // faults.
  bool object(const Node& node, std::initializer_list<Field> fields);
  // Calls `read` for every element; false if it is set but no array.
  bool array(const Node& node, const std::function<void(const Node&)>& read);
  // Members that occur twice, anywhere in a value that is otherwise free.
  void unique_members(const Node& node);

  std::optional<std::string> string(const Node& node);
  std::optional<bool> boolean(const Node& node);
  std::optional<int32_t> int32(const Node& node);
  std::optional<int64_t> int64(const Node& node);
  std::optional<float> float32(const Node& node);
  std::optional<int64_t> duration(const Node& node);  // in nanoseconds; null is a fault too

 private:
  void expected(const Node& node, std::string_view what);
  std::optional<int64_t> integer(const Node& node, int64_t min, int64_t max, std::string_view what);

  Faults& faults_;
};

}  // namespace berth::config
