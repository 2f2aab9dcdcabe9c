#include "engine/ingest/workloads/decode_job.h"

#include <charconv>
#include <limits>
#include <utility>

namespace berth::ingest {
namespace {

using model::FailureRule;

// Exit codes are numbers of a process: those that are none are never met.
void read_exit_codes(const FieldReader& in, document::Value values, FailureRule& rule) {
  rule.operation = in.text("operator");
  rule.container = in.text("containerName");
  for (const document::Value value : values.elements()) {
    int32_t code = 0;
    const std::string text = document::to_json(value);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    if (error == std::errc() && end == text.data() + text.size()) rule.exit_codes.push_back(code);
  }
}

// False: an action that a Job without limits for each index does not have.
bool read_rule(const FieldReader& in, document::Value value, FailureRule& rule) {
  const std::string action = in.text("action");
  if (action == "FailJob") {
    rule.action = FailureRule::Action::kFailJob;
  } else if (action == "Ignore") {
    rule.action = FailureRule::Action::kIgnore;
  } else if (action != "Count") {
    return false;
  }
  if (in.has("onExitCodes"))
    read_exit_codes(in.object("onExitCodes"), value.find("onExitCodes").find("values"), rule);
  in.each("onPodConditions", [&](const FieldReader& condition) {
    std::string status = condition.text("status");
    if (status.empty()) status = "True";
    rule.conditions.emplace_back(condition.text("type"), std::move(status));
  });
  return true;
}

bool read_rules(const FieldReader& policy, document::Value rules, model::JobSpec& job) {
  bool known = true;
  size_t at = 0;
  std::vector<document::Value> values;
  for (const document::Value value : rules.elements()) values.push_back(value);
  policy.each("rules", [&](const FieldReader& in) {
    FailureRule rule;
    known &= read_rule(in, values[at++], rule);
    job.failure_rules.push_back(std::move(rule));
  });
  return known;
}

}  // namespace

std::string read_job_end(const FieldReader& spec, document::Value value, model::JobSpec& job) {
  const auto count = [&](std::string_view field, uint64_t absent) {
    const std::optional<int64_t> number =
        spec.integer(field, 0, std::numeric_limits<int32_t>::max());
    return number ? static_cast<uint64_t>(*number) : absent;
  };
  job.backoff_limit = count("backoffLimit", 6);
  job.active_deadline_seconds =
      spec.integer("activeDeadlineSeconds", 0, std::numeric_limits<int32_t>::max());
  job.replaces_failed_alone = spec.text("podReplacementPolicy") == "Failed";
  for (const char* field : {"backoffLimitPerIndex", "successPolicy"})
    if (spec.has(field)) return std::string("spec.") + field;
  const std::string by = spec.text("managedBy");
  if (!by.empty() && by != "kubernetes.io/job-controller") return "spec.managedBy";
  if (!spec.has("podFailurePolicy")) return {};
  job.has_failure_policy = job.replaces_failed_alone = true;
  const bool known = read_rules(spec.object("podFailurePolicy"),
                                value.find("podFailurePolicy").find("rules"), job);
  return known ? "" : "spec.podFailurePolicy.rules[].action";
}

}  // namespace berth::ingest
