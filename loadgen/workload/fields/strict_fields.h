#pragma once

// Reads objects in which every field must be known, such as those of kube-scheduler's benchmark.
// Faults are reported to a Diagnostics with line, column and path; readers then return an empty
// value.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/workload/fields/asked_fields.h"

namespace berth::loadgen {

// Reports `message` at the place and path of `at`.
void report_at(document::Value at, std::string message, Diagnostics& diagnostics);

// An object whose fields are read by name, ignoring case. A null field counts as absent.
class StrictFields : public AskedFields {
 public:
  // `what` names the object in messages, for example "a test case".
  StrictFields(document::Value object, std::string what, Diagnostics& diagnostics);

  // Empty if the field is absent.
  std::string text(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  // An integer within [low, high]; nullopt if the field is absent or was reported.
  std::optional<int64_t> integer(std::string_view name, int64_t low, int64_t high);
  std::vector<std::string> texts(std::string_view name);
  std::map<std::string, std::string> text_map(std::string_view name);
  // The elements of an array that are objects. Other elements are reported.
  std::vector<document::Value> objects(std::string_view name);

  // Reports every field that was not read before.
  void finish();

  // Reports `message` at `at`, or at this object if `at` is absent.
  void report(document::Value at, std::string message) const {
    report_at(at.present() ? at : value(), std::move(message), diagnostics_);
  }

 private:
  // False, after a report, if `value` is present and has another kind.
  bool expect(document::Value value, document::Kind kind, std::string_view name) const;

  std::string what_;
  Diagnostics& diagnostics_;
};

}  // namespace berth::loadgen
