#pragma once

// Reads the fields of a workload file. What is wrong is reported with line, column, field, what was
// expected and what was found; reading goes on, so that several faults come out at once. Wherever a
// number, an amount or a time stands, a parameter may stand as $name.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/generate/distribution.h"
#include "loadgen/workload/asked_fields.h"

namespace berth::loadgen {

// What a text or number stands for.
enum class Unit : uint8_t {
  kCount,     // pieces: 12
  kQuantity,  // thousandths of a resource's unit: "100m", 16Gi
  kDuration,  // nanoseconds: 1h30m, 250ms
};

// "1h30m", "250ms", "1.5s" to nanoseconds; units ns, us, ms, s, m, h, d. Nothing if it is none, or
// above Distribution::kMost.
std::optional<int64_t> parse_duration(std::string_view text);

// What all fields of one file share.
class FieldContext {
 public:
  FieldContext(Diagnostics& diagnostics, const std::map<std::string, std::string>& parameters)
      : diagnostics_(diagnostics), parameters_(parameters) {}

  // `at` is what is wrong, or what `missing` is missing in.
  void report(document::Value at, std::string message, std::string_view missing = {});
  // The same for the field of that path below `root`, or what comes nearest to it.
  void report_path(document::Value root, std::string_view path, std::string message);
  bool faultless() const { return faultless_; }

  // The text of a number or a string, with a parameter's value in its place. Nothing, which was
  // reported, for anything else.
  std::optional<std::string> scalar(document::Value value, std::string_view expected);

  // The amount that a value stands for, within the bounds; nothing, which was reported, if none.
  std::optional<int64_t> amount(document::Value value, Unit unit, int64_t low = 0,
                                int64_t high = Distribution::kMost);
  std::optional<double> real(document::Value value, double low, double high);

  bool is_used(const std::string& parameter) const { return used_.contains(parameter); }

 private:
  Diagnostics& diagnostics_;
  const std::map<std::string, std::string>& parameters_;
  std::set<std::string> used_;
  bool faultless_ = true;
};

// An object of the file. Each field that is asked for is known; done() reports the others.
class Fields : public AskedFields {
 public:
  // Anything but an object is reported; absent ones read as empty.
  Fields(document::Value value, FieldContext& context);

  FieldContext& context() const { return *context_; }
  bool present() const { return value().present(); }
  bool has(std::string_view name) { return at(name).present(); }
  Fields object(std::string_view name) { return {at(name), *context_}; }
  // The elements of an array; anything else is reported.
  std::vector<document::Value> list(std::string_view name);
  // The members of an object; anything else is reported.
  std::vector<document::Member> members(std::string_view name);

  // Absent ones take the default.
  std::string text(std::string_view name, std::string fallback = {});
  bool boolean(std::string_view name, bool fallback);
  uint64_t count(std::string_view name, uint64_t low, uint64_t high, uint64_t fallback);
  int64_t duration(std::string_view name, int64_t low, int64_t fallback);
  double real(std::string_view name, double low, double high, double fallback);
  // A name as Kubernetes takes it for a label (RFC 1123), short enough to have numbers behind it.
  std::string name(std::string_view field);

  void missing(std::string_view name, std::string message);
  // Reports the members that nobody asked for.
  void done();

 private:
  FieldContext* context_;
};

// "expected A, found B".
std::string expected(std::string_view what, document::Value found);

}  // namespace berth::loadgen
