#pragma once

// Reads the fields of one Kubernetes object and reports what is wrong with them, with place and
// path. A fault loses the object, but reading goes on, so that several faults are reported at once.
// Internal to this module.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The faults of one object.
class Faults {
 public:
  explicit Faults(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool none() const { return count_ == 0; }

  // `at` is what is wrong, or what the field `missing` is missing in.
  void report(document::Value at, std::string message, std::string_view missing = {});

 private:
  static constexpr int kMost = 10;  // of one object, or it would hide the faults of the others

  Diagnostics& diagnostics_;
  int count_ = 0;
};

// An object within the Kubernetes object; absent ones read as empty. Null is the same as absent
// throughout, as it is for Go.
class FieldReader {
 public:
  // Anything but an object is a fault.
  FieldReader(document::Value value, Faults& faults);

  bool present() const { return value_.present(); }
  bool faultless() const { return faults_->none(); }  // so far, the whole Kubernetes object
  // Whether the field is there and not null.
  bool has(std::string_view name) const { return at(name).present(); }

  FieldReader object(std::string_view name) const { return {at(name), *faults_}; }
  // Calls visit(FieldReader) for each element of an array of objects.
  template <typename Visit>
  void each(std::string_view name, Visit&& visit) const {
    for (document::Value element : typed(name, document::Kind::kArray).elements()) {
      visit(FieldReader(element, *faults_));
    }
  }

  // Absent reads as empty, false or nothing.
  std::string text(std::string_view name) const;
  bool boolean(std::string_view name) const;
  std::optional<int64_t> integer(std::string_view name, int64_t minimum, int64_t maximum) const;
  std::optional<int32_t> integer32(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  model::StringMap string_map(std::string_view name) const;  // sorted by key
  // Sorted by name. Negative amounts are faults, and those that kube-scheduler's integers could not
  // hold.
  model::ResourceList resources(std::string_view name, Defaults defaults) const;

  // A field that must be there is not.
  void missing(std::string_view name, std::string message) const {
    faults_->report(value_, std::move(message), name);
  }

 private:
  // Absent if it is absent or null.
  document::Value at(std::string_view name) const;
  // The same if it is of another kind, which is a fault.
  document::Value typed(std::string_view name, document::Kind kind) const;
  document::Value checked(document::Value value, document::Kind kind) const;
  std::string_view string_or_null(document::Value value) const;  // empty if it is absent or null

  document::Value value_;
  Faults* faults_;
};

// The fields of a whole Kubernetes object, which must be there.
FieldReader object_reader(document::Value value, Faults& faults);

// metadata.name, or metadata.generateName if an API server would make a name of that. It is a
// fault, in which the `kind` is named, if neither is there.
std::string object_name(const FieldReader& object, const FieldReader& metadata, Defaults defaults,
                        std::string_view kind);

// metadata.namespace, of an object that lies in one.
std::string namespace_of(const FieldReader& metadata, Defaults defaults);

}  // namespace berth::ingest
