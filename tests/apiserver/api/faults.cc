#include "tests/apiserver/api/faults.h"

#include <cmath>

#include "engine/base/draw.h"

namespace berth::apiserver {

using Action = FaultRule::Action;

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Where the last star stood, and what it stood for so far.
  size_t p = 0, t = 0, star = pattern.npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool asks_to_watch(const Request& request) {
  const auto found = request.query.find("watch");
  return found != request.query.end() && (found->second == "true" || found->second == "1");
}

bool Faults::strikes(FaultRule& rule, const Request& request) {
  if (rule.count == 0) return false;
  if (!rule.method.empty() && rule.method != request.method) return false;
  if (!rule.path.empty() && !matches_pattern(rule.path, request.path)) return false;
  if (rule.watch && *rule.watch != asks_to_watch(request)) return false;
  const uint64_t number = mix(seed_ ^ mix(++draws_));
  if (std::ldexp(static_cast<double>(number >> 11), -53) >= rule.share) return false;
  --rule.count;
  return true;
}

Fault Faults::draw(const Request& request) {
  Fault fault;
  for (FaultRule& rule : rules_) {
    if (!strikes(rule, request)) continue;
    if (rule.action == Action::kDelay) {
      fault.delay += rule.delay;
    } else if (rule.action == Action::kCompact) {
      fault.compact = true;
    } else if (!fault.action) {
      fault.action = rule.action;
      fault.bytes = rule.bytes;
    }
  }
  return fault;
}

}  // namespace berth::apiserver
