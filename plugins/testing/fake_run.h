#pragma once

// The services of time, random numbers, threads, metrics, rules and epochs, for unit tests of
// plugins. One thread.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/clock.h"
#include "berth/abi/external.h"
#include "berth/abi/metrics.h"
#include "berth/abi/rules.h"
#include "berth/abi/signing.h"
#include "berth/abi/worker.h"

namespace berth::plugins::testing {

class FakeHost;

class FakeRun {
 public:
  int64_t now = 0;
  // The answer of random.bits: the stream plus this number.
  uint64_t random = 0;
  // Metrics by name. Handles are 1 more than the place in `metric_names`.
  std::map<std::string, int64_t> metrics;
  std::vector<std::string> metric_names;

  // Names of the rules that hold. All names are known.
  std::set<std::string, std::less<>> rules;
  std::string version = "1.34";

  // Names of epochs, which have 1 more than their place as numbers; those that were raised, in
  // order; how often pods were woken.
  std::vector<std::string> epochs, raised;
  int wakes = 0;

  // By which parts of a pod the plugin says that it decides; nothing: it did not say.
  struct Signing {
    uint64_t parts = 0, without = 0;
    bool operator==(const Signing&) const = default;
  };
  std::optional<Signing> signing;

  // The table of one of these services; null: the id is another's.
  static const void* service(std::string_view id);

 private:
  friend struct FakeRunFunctions;
  std::vector<uint8_t> scratch_;
};

}  // namespace berth::plugins::testing
