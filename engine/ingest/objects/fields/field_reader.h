#pragma once

// Reads the fields of one Kubernetes object and reports faults with place and path. An object with
// a fault is rejected, but reading continues, so that several faults are reported at once. Internal
// to this module.

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

// The faults of one object. `diagnostics` must outlive it.
class Faults {
 public:
  explicit Faults(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool none() const { return count_ == 0; }

  // Reports a fault of `at`; the path is that of `at` or, if `missing` is not empty, of its absent
  // field of this name.
  void report(document::Value at, std::string message, std::string_view missing = {});
  // The same with the path `field`, from the root of the document.
  void report_field(document::Value at, std::string field, std::string message);

  // False: so many faults are kept already that more are counted alone, without paths, which take a
  // walk through the file.
  bool kept() const { return count_ < kMost && diagnostics_.kept().size() < Diagnostics::kKept; }

  // True if a fault of this field, of a part of it or of what holds it was reported by an earlier
  // call of either function, so that a rule which this field breaks may be a consequence.
  bool touches(std::string_view field) const;

 private:
  static constexpr int kMost = 10;  // per object; more would hide the faults of other objects

  Diagnostics& diagnostics_;
  int count_ = 0;
  std::vector<std::string> fields_;  // of the faults
};

// Bytes of an object's name or namespace. An API server accepts fewer; streams hold no more.
inline constexpr size_t kLongestName = 255;

// An object within a Kubernetes object. An absent object reads as empty. Null counts as absent
// everywhere, as in Go. A value of the wrong kind is reported and reads as absent. The document and
// the faults must outlive the reader.
class FieldReader {
 public:
  // A value that is present and not an object is a fault.
  FieldReader(document::Value value, Faults& faults);

  bool present() const { return value_.present(); }
  // True if the whole Kubernetes object had no fault so far.
  bool faultless() const { return faults_->none(); }
  // True if the field is present and not null.
  bool has(std::string_view name) const { return at(name).present(); }

  // The object in a field.
  FieldReader object(std::string_view name) const { return {at(name), *faults_}; }
  // Calls visit(FieldReader) for each element of an array of objects.
  template <typename Visit>
  void each(std::string_view name, Visit&& visit) const {
    for (document::Value element : typed(name, document::Kind::kArray).elements()) {
      visit(FieldReader(element, *faults_));
    }
  }

  // An absent field reads as empty, false or nullopt. A number that is not an integer, or not
  // within [minimum, maximum], is a fault.
  std::string text(std::string_view name) const;
  // A text of at most kLongestName bytes; a longer one is a fault, and reads as empty.
  std::string name(std::string_view field) const;
  bool boolean(std::string_view name) const;
  std::optional<int64_t> integer(std::string_view name, int64_t minimum, int64_t maximum) const;
  std::optional<int32_t> integer32(std::string_view name) const;
  // A time of the API (RFC 3339), in nanoseconds since 1970.
  std::optional<int64_t> time(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  // The keys of an object whose values nothing reads, sorted.
  std::vector<std::string> keys(std::string_view name) const;
  model::StringMap string_map(std::string_view name) const;  // sorted by key
  // Sorted by name. Negative amounts, and amounts beyond kube-scheduler's int64, are faults.
  model::ResourceList resources(std::string_view name, Defaults defaults) const;

  // A single amount of storage, in bytes; nullopt: absent, or a fault.
  std::optional<int64_t> amount(std::string_view name, Defaults defaults) const;

  // Reports a fault of a field that is present.
  void wrong(std::string_view name, std::string message) const {
    faults_->report(at(name), std::move(message));
  }
  // Reports that a required field is missing.
  void missing(std::string_view name, std::string message) const {
    faults_->report(value_, std::move(message), name);
  }

 private:
  // The field, or an absent value if it is absent or null.
  document::Value at(std::string_view name) const;
  // The same; a value of another kind is reported and read as absent.
  document::Value typed(std::string_view name, document::Kind kind) const;
  document::Value checked(document::Value value, document::Kind kind) const;
  std::string_view string_or_null(document::Value value) const;  // empty if absent or null

  document::Value value_;
  Faults* faults_;
};

// Reads a whole Kubernetes object. An absent or null value is a fault.
FieldReader object_reader(document::Value value, Faults& faults);

// Returns metadata.name, or metadata.generateName if an API server would generate the name. If both
// are absent, it is a fault that mentions `kind`.
std::string object_name(const FieldReader& object, const FieldReader& metadata, Defaults defaults,
                        std::string_view kind);

// Returns metadata.namespace of a namespaced object.
std::string namespace_of(const FieldReader& metadata, Defaults defaults);

}  // namespace berth::ingest
