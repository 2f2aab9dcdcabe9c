#include "engine/ingest/validation/restart_rules.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;
using Within = FieldErrors::Within;
using Texts = std::initializer_list<std::string_view>;

constexpr size_t kMostRules = 20, kMostExitCodes = 255;
constexpr const char* kRules = "restartPolicyRules";

// Adds an error unless the text in the field is one of these. An absent one is empty.
void check_one_of(Value object, const char* field, const Texts& supported, FieldErrors& errors) {
  const std::string_view text = object.find(field).text();
  if (std::ranges::find(supported, text) != supported.end()) return;
  const Within in_field(errors, field);
  errors.unsupported(text, supported);
}

void check_most(Value object, const char* field, size_t most, FieldErrors& errors) {
  const size_t size = object.find(field).size();
  if (size <= most) return;
  const Within in_field(errors, field);
  errors.add("Too many: " + std::to_string(size) + ": must have at most " + std::to_string(most) +
             " items");
}

void check_rule(Value rule, FieldErrors& errors) {
  check_one_of(rule, "action", {"Restart", "RestartAllContainers"}, errors);
  const Value codes = rule.find("exitCodes");
  const Within in_codes(errors, "exitCodes");
  if (!codes.is(Kind::kObject)) return errors.required("must be specified");
  check_one_of(codes, "operator", {"In", "NotIn"}, errors);
  check_most(codes, "values", kMostExitCodes, errors);
}

void check_policy(Value container, FieldErrors& errors) {
  if (container.find("restartPolicy").set())
    return check_one_of(container, "restartPolicy", {"Always", "Never", "OnFailure"}, errors);
  if (container.find(kRules).size() == 0) return;
  const Within in_policy(errors, "restartPolicy");
  errors.required("must specify restartPolicy when restart rules are used");
}

}  // namespace

void check_restarts(Value container, FieldErrors& errors) {
  check_policy(container, errors);
  check_most(container, kRules, kMostRules, errors);
  size_t index = 0;
  for (const Value rule : container.find(kRules).elements()) {
    const Within in_rule(errors, kRules, index++);
    check_rule(rule, errors);
  }
}

void check_resizes(Value container, FieldErrors& errors) {
  size_t index = 0;
  for (const Value policy : container.find("resizePolicy").elements()) {
    const Within in_resize(errors, "resizePolicy", index++);
    const std::string_view restart = policy.find("restartPolicy").text();
    if (restart != "RestartContainer") continue;
    const Within in_policy(errors, "restartPolicy");
    errors.invalid_enumerator(
        restart, "must not be set to 'RestartContainer' for non-sidecar initContainers");
  }
}

}  // namespace berth::ingest
