#pragma once

// Reads the fields of an object of a definition of which every field must be known. What is wrong
// is reported with its place and path.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/workload/asked_fields.h"

namespace berth::loadgen {

void report_at(document::Value at, std::string message, Diagnostics& diagnostics);

// Each field is to be asked for, by its name in any case; null counts as absent.
class StrictFields : public AskedFields {
 public:
  // `what` is what the object is called in messages, such as "a test case".
  StrictFields(document::Value object, std::string what, Diagnostics& diagnostics);

  std::string text(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  // Within [low, high].
  std::optional<int64_t> integer(std::string_view name, int64_t low, int64_t high);
  std::vector<std::string> texts(std::string_view name);
  std::map<std::string, std::string> text_map(std::string_view name);
  // Of an array, each element that is an object; anything else is reported.
  std::vector<document::Value> objects(std::string_view name);

  // Reports the fields that nobody asked for.
  void finish();

  void report(document::Value at, std::string message) const {
    report_at(at.present() ? at : value(), std::move(message), diagnostics_);
  }

 private:
  bool expect(document::Value value, document::Kind kind, std::string_view name) const;

  std::string what_;
  Diagnostics& diagnostics_;
};

}  // namespace berth::loadgen
