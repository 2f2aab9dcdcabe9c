#include "tests/service_simulation/world/weather.h"

#include <string>
#include <utility>

namespace berth::service_simulation {
namespace {

using Action = apiserver::FaultRule::Action;
using apiserver::kSecond;

// A renewal that is slower may still be confirmed, and a binding is carried out before another
// process can have the lease: with the longest ways, in less than five seconds.
constexpr apiserver::Nanoseconds kSlowest = 4 * kSecond;

constexpr const char* kWrites[][2] = {
    {"POST", "*/binding"}, {"PATCH", "*/pods/*"}, {"DELETE", "*/pods/*"},   {"POST", "*/events"},
    {"PUT", "*/leases/*"}, {"POST", "*/leases"},  {"PATCH", "*persistent*"}};

}  // namespace

void Weather::clear() { server_.faults().clear(); }

void Weather::maybe(Rule rule) {
  if (!dice_.chance(30)) return;
  rule.share = static_cast<double>(dice_.number(1, rates_.most_faults)) / 100;
  server_.faults().add(std::move(rule));
}

void Weather::change() {
  clear();
  if (rates_.most_faults == 0) return;
  trace_.add("the weather changes");
  for (const auto& [method, path] : kWrites) {
    for (const Action action : {Action::kCutAfter, Action::kCutBefore, Action::kErrorAfter,
                                Action::kServerError, Action::kTooManyRequests, Action::kConflict})
      maybe({.action = action, .method = method, .path = path});
    if (rates_.slow_requests)
      maybe({.action = Action::kDelay,
             .method = method,
             .path = path,
             .delay = dice_.number(kSecond / 10, kSlowest)});
  }
  for (const bool watch : {false, true}) {
    maybe({.action = Action::kServerError, .method = "GET", .watch = watch});
    maybe({.action = Action::kTooManyRequests, .method = "GET", .watch = watch});
    for (int i = 0; i < 3; ++i)
      maybe({.action = Action::kCutAnswer,
             .method = "GET",
             .watch = watch,
             .bytes = static_cast<uint64_t>(dice_.number(1, dice_.one_of({30, 3000, 20000})))});
  }
  // Watches that broke find that their version is too old.
  maybe({.action = Action::kCompact, .method = "GET", .watch = true});
  if (rates_.slow_requests)
    maybe(
        {.action = Action::kDelay, .method = "GET", .delay = dice_.number(kSecond / 10, kSlowest)});
  if (dice_.chance(20)) {
    marks_.hit(Mark::kCompaction);
    server_.compact();
  }
}

}  // namespace berth::service_simulation
