#include "tests/apiserver/program/fault_text.h"

#include <map>
#include <sstream>

#include "engine/base/error.h"

namespace berth::apiserver {
namespace {

FaultRule::Action action_of(const std::string& name) {
  using Action = FaultRule::Action;
  static const std::map<std::string, Action> kActions = {
      {"delay", Action::kDelay},        {"429", Action::kTooManyRequests},
      {"500", Action::kServerError},    {"cut-before", Action::kCutBefore},
      {"cut-after", Action::kCutAfter}, {"cut-answer", Action::kCutAnswer},
      {"compact", Action::kCompact},    {"500-after", Action::kErrorAfter},
      {"409", Action::kConflict}};
  const auto found = kActions.find(name);
  if (found == kActions.end()) throw Error("--fault: no action \"" + name + "\"");
  return found->second;
}

void set(FaultRule& rule, const std::string& key, const std::string& value) {
  if (key == "method")
    rule.method = value;
  else if (key == "path")
    rule.path = value;
  else if (key == "watch")
    rule.watch = value == "true";
  else if (key == "share")
    rule.share = std::stod(value);
  else if (key == "count")
    rule.count = std::stoull(value);
  else if (key == "milliseconds")
    rule.delay = std::stoll(value) * (kSecond / 1000);
  else if (key == "bytes")
    rule.bytes = std::stoull(value);
  else
    throw Error("--fault: no key \"" + key + "\"");
}

}  // namespace

FaultRule fault_rule(const std::string& text) {
  std::istringstream parts(text);
  std::string part;
  std::getline(parts, part, ',');
  FaultRule rule;
  rule.action = action_of(part);
  while (std::getline(parts, part, ',')) {
    const size_t equals = part.find('=');
    if (equals == part.npos) throw Error("--fault: expected KEY=VALUE, found \"" + part + "\"");
    set(rule, part.substr(0, equals), part.substr(equals + 1));
  }
  return rule;
}

}  // namespace berth::apiserver
