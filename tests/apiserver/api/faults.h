#pragma once

// Faults by script: rules that say which requests go wrong, and how. Equal seeds, rules and
// sequences of requests give equal faults.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/apiserver/api/clock.h"
#include "tests/apiserver/api/exchange.h"

namespace berth::apiserver {

struct FaultRule {
  enum class Action : uint8_t {
    kDelay,            // handled `delay` later
    kTooManyRequests,  // 429, as of priority and fairness: text, with retry-after
    kServerError,      // 500, a Status
    kErrorAfter,  // it is done, and 500 answers with retry-after, as of a storage that was slow
    kConflict,    // 409, nothing is done, as of a write that lost against another
    kCutBefore,   // the connection breaks, nothing is done
    kCutAfter,    // it is done, and the connection breaks in place of the answer
    kCutAnswer,   // the connection breaks after `bytes` of the body, as for a watch
    kCompact,     // the history is dropped first: other watches and lists get 410
  };

  Action action = Action::kDelay;
  std::string method{};         // empty: all
  std::string path{};           // a pattern, in which * stands for any text; empty: all
  std::optional<bool> watch{};  // only requests with watch=true, or only others
  double share = 1;             // of the requests that match, drawn by seed
  uint64_t count = std::numeric_limits<uint64_t>::max();  // of faults; then the rule is over
  Nanoseconds delay = 0;
  uint64_t bytes = 0;
};

// What happens to one request.
struct Fault {
  Nanoseconds delay = 0;
  bool compact = false;
  // The first that applies, of those that end or break an answer.
  std::optional<FaultRule::Action> action{};
  uint64_t bytes = 0;  // of kCutAnswer
};

class Faults {
 public:
  explicit Faults(uint64_t seed) : seed_(seed) {}

  void add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  void clear() { rules_.clear(); }

  // All rules are asked in their order: delays add up.
  Fault draw(const Request& request);

 private:
  bool strikes(FaultRule& rule, const Request& request);

  uint64_t seed_;
  uint64_t draws_ = 0;
  std::vector<FaultRule> rules_;
};

// True if `text` is such as the pattern, in which * stands for any text, also an empty one.
bool matches_pattern(std::string_view pattern, std::string_view text);

// True for "watch=true" and "watch=1".
bool asks_to_watch(const Request& request);

}  // namespace berth::apiserver
