#pragma once

// Strict reading of a document: unknown members and values of the wrong kind are reported. Null
// means "not set", as in kube-scheduler.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/config/read/faults.h"
#include "engine/document/document.h"

namespace berth::config {

// A value with its path from the root of the configuration, such as profiles[0].plugins.
struct Node {
  document::Value value;
  std::string path;

  bool set() const { return value.set(); }
  Place place() const;  // of the value; Place::field is the path

  Node element(document::Value element, size_t index) const;
  Node member(document::Value member, std::string_view name) const;
};

// Finds places of values by their paths. Lists that it has walked are kept, so that places of all
// elements of a list take time for its length alone.
class Places {
 public:
  // The document outlives the object.
  explicit Places(document::Value root) : root_(root) {}

  // The place of the value at `path`, or else of the nearest value that contains it. Place::field
  // is `path`.
  Place at(std::string_view path);

 private:
  document::Value element(document::Value list, std::string_view path, size_t index);

  document::Value root_;
  std::unordered_map<std::string, std::vector<document::Value>> lists_;  // elements, by path
};

// The same for one path.
Place place_at(document::Value root, std::string_view path);

struct Field {
  std::string_view name;
  std::function<void(const Node&)> read;  // called for present members, in file order
  bool known = true;                      // false: as if it were not among the fields
};

// Each function reports an error in the value and then returns as if the value were not set. Values
// that are not set are no error: functions return nothing for them, or true.
class Reader {
 public:
  explicit Reader(Faults& faults) : faults_(faults) {}

  // Reads the members of an object. False if the value is set and not an object. Reports unknown
  // and duplicate members.
  bool object(const Node& node, const std::vector<Field>& fields);
  // Calls `read` for every element. False if the value is set and not an array.
  bool array(const Node& node, const std::function<void(const Node&)>& read);
  // Reports duplicate members anywhere in a value of free form.
  void unique_members(const Node& node);

  std::optional<std::string> string(const Node& node);
  std::optional<bool> boolean(const Node& node);
  std::optional<int32_t> int32(const Node& node);
  std::optional<int64_t> int64(const Node& node);
  std::optional<float> float32(const Node& node);
  std::optional<int64_t> duration(const Node& node);  // in nanoseconds; null is an error

 private:
  void expected(const Node& node, std::string_view what);
  std::optional<int64_t> integer(const Node& node, int64_t min, int64_t max, std::string_view what);

  Faults& faults_;
};

}  // namespace berth::config
