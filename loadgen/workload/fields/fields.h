#pragma once

// Reads the fields of a workload file. A fault is reported with line, column and field, what was
// expected and what was found. Reading continues after a fault, so that one pass reports several.
// Numbers, amounts and times may be given as a parameter, $name.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/generate/draws/distribution.h"
#include "loadgen/workload/fields/asked_fields.h"

namespace berth::loadgen {

// The unit of a number or text.
enum class Unit : uint8_t {
  kCount,     // a plain number: 12
  kQuantity,  // thousandths of a resource's unit: "100m", 16Gi
  kDuration,  // nanoseconds: 1h30m, 250ms
};

// Converts "1h30m", "250ms" or "1.5s" to nanoseconds. Units: ns, us, ms, s, m, h, d. Returns
// nullopt for anything else and for times above Distribution::kMost.
std::optional<int64_t> parse_duration(std::string_view text);

// State shared by all fields of one file. The diagnostics and parameters must outlive it.
class FieldContext {
 public:
  FieldContext(Diagnostics& diagnostics, const std::map<std::string, std::string>& parameters)
      : diagnostics_(diagnostics), parameters_(parameters) {}

  // Reports a fault at `at`. If `missing` is not empty, the fault is that `at` lacks this field.
  void report(document::Value at, std::string message, std::string_view missing = {});
  // Reports a fault of the field with `path` below `root`, or of its closest existing ancestor.
  void report_path(document::Value root, std::string_view path, std::string message);
  // True until the first report.
  bool faultless() const { return faultless_; }

  // The text of a number or string; "$name" is replaced by the parameter's value. Anything else is
  // reported, with `expected`, and yields nullopt.
  std::optional<std::string> scalar(document::Value value, std::string_view expected);

  // The amount in the base unit of `unit`. Values that are malformed or outside [low, high] are
  // reported and yield nullopt. real() does the same for a plain number.
  std::optional<int64_t> amount(document::Value value, Unit unit, int64_t low = 0,
                                int64_t high = Distribution::kMost);
  std::optional<double> real(document::Value value, double low, double high);

  // True if scalar() replaced this parameter at least once.
  bool is_used(const std::string& parameter) const { return used_.contains(parameter); }

 private:
  Diagnostics& diagnostics_;
  const std::map<std::string, std::string>& parameters_;
  std::set<std::string> used_;
  bool faultless_ = true;
};

// An object of the file. done() reports every field that was not read before.
class Fields : public AskedFields {
 public:
  // A value that is not an object is reported. An absent value reads as an empty object.
  Fields(document::Value value, FieldContext& context);

  FieldContext& context() const { return *context_; }
  bool present() const { return value().present(); }
  bool has(std::string_view name) { return at(name).present(); }
  Fields object(std::string_view name) { return {at(name), *context_}; }
  // The elements of an array, empty if absent. Another kind is reported.
  std::vector<document::Value> list(std::string_view name);
  // The members of an object, empty if absent. Another kind is reported.
  std::vector<document::Member> members(std::string_view name);

  // These return `fallback` if the field is absent or invalid. Invalid values are reported.
  std::string text(std::string_view name, std::string fallback = {});
  bool boolean(std::string_view name, bool fallback);
  uint64_t count(std::string_view name, uint64_t low, uint64_t high, uint64_t fallback);
  int64_t duration(std::string_view name, int64_t low, int64_t fallback);
  double real(std::string_view name, double low, double high, double fallback);
  // A DNS label (RFC 1123) that is short enough for a number to be appended. Other texts are
  // reported.
  std::string name(std::string_view field);

  // Reports that the required field `name` is missing, unless this value is not an object, which
  // was reported already.
  void missing(std::string_view name, std::string message);
  // Reports the fields that were not read.
  void done();

 private:
  FieldContext* context_;
};

// "expected WHAT, found VALUE".
std::string expected(std::string_view what, document::Value found);

}  // namespace berth::loadgen
