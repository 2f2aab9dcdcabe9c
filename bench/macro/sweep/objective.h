#pragma once

// The figures by which the combinations of a sweep are told apart.

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "bench/macro/measure/figures/figures.h"

namespace berth::bench {

struct Objective {
  // The way in which its numbers are written.
  enum class Kind : uint8_t { kShare, kCount, kSeconds, kRate };

  std::string name;   // "utilisation:cpu", "refused"
  std::string title;  // of its column: "cpu used"
  Kind kind = Kind::kCount;
  Better better = Better::kLower;
  // The number in the result of a run; nothing if the run does not have it.
  std::optional<double> (*read)(const rapidjson::Value& result, const std::string& resource);
  std::string resource;  // of `read`; empty: it is of none

  std::optional<double> of(const rapidjson::Value& result) const { return read(result, resource); }
  // For front_of(); a number that is missing is the worst one.
  double cost(std::optional<double> value) const;
  // "-" for a number that is missing.
  std::string text(std::optional<double> value, bool all_digits) const;
};

// Reads a name: "utilisation" and "fragmentation", each with ":RESOURCE" or of cpu, "refused",
// "evictions", "wait-p50", "wait-p99" and "decisions-per-second". Throws UsageError for another
// one, with the one that was meant; `option` names where it comes from.
Objective parse_objective(const std::string& name, const std::string& option);

// The columns of the table, in order, and those that make the front unless the user names others:
// those of them that do not depend on the machine.
std::vector<Objective> usual_objectives();
std::vector<std::string> usual_front();

}  // namespace berth::bench
