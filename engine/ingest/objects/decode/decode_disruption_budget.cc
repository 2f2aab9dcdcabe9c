// Decodes policy/v1.PodDisruptionBudget to model::DisruptionBudget.

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

// The faults that an API server refuses. Source: k8s.io/kubernetes pkg/apis/policy/validation.
void report_invalid(Value at, std::string_view why, Faults& faults) {
  faults.report(at, "Invalid value: " + document::to_json(at) + ": " + std::string(why));
}

// [0-9]+%, without the sign of percent. Nothing: it is another text.
std::optional<std::string_view> percent_digits(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
  return digits && !text.empty() ? std::optional(text) : std::nullopt;
}

std::optional<model::PodAmount> percentage(Value amount, Faults& faults) {
  constexpr int32_t kWhole = 100;
  const auto digits = percent_digits(amount.as_string());
  int32_t percent = 0;
  if (!digits) {
    report_invalid(
        amount,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. "
        "'1%',  or '93%', regex used for validation is '[0-9]+%')",
        faults);
  } else if (std::from_chars(digits->begin(), digits->end(), percent).ec != std::errc() ||
             percent > kWhole) {
    report_invalid(amount, "must not be greater than 100%", faults);
  }
  return model::PodAmount{percent, true};
}

// An IntOrString.
std::optional<model::PodAmount> pod_amount(Value amount, Faults& faults) {
  if (!amount.set()) return std::nullopt;
  if (amount.is(Kind::kString)) return percentage(amount, faults);
  const std::optional<int64_t> number = amount.as_int64();
  if (!number || *number > std::numeric_limits<int32_t>::max() ||
      *number < std::numeric_limits<int32_t>::min()) {
    faults.report(amount, "expected a number of pods or a percentage like \"10%\"");
    return std::nullopt;
  }
  if (*number < 0) report_invalid(amount, "must be greater than or equal to 0", faults);
  return model::PodAmount{static_cast<int32_t>(*number), false};
}

model::UnhealthyPods unhealthy_pods(Value policy, Faults& faults) {
  if (policy.text() == "AlwaysAllow") return model::UnhealthyPods::kAlwaysAllow;
  if (policy.set() && policy.text() != "IfHealthyBudget")
    faults.report(policy, "Unsupported value: " + document::to_json(policy) +
                              ": supported values: \"AlwaysAllow\", \"IfHealthyBudget\"");
  return model::UnhealthyPods::kIfHealthyBudget;
}

// Such a selector matches no pod, so the budget would protect none.
void check_requirement(Value requirement, Faults& faults) {
  const Value op = requirement.find("operator");
  const std::string_view name = op.text();
  const bool with_values = name == "In" || name == "NotIn";
  if (!with_values && name != "Exists" && name != "DoesNotExist") {
    report_invalid(op.set() ? op : requirement,
                   "not a valid selector operator: In, NotIn, Exists, DoesNotExist", faults);
    return;
  }
  const bool has_values = requirement.find("values").size() != 0;
  if (with_values && !has_values)
    faults.report(requirement, "must be specified when `operator` is 'In' or 'NotIn'", "values");
  if (!with_values && has_values)
    faults.report(requirement.find("values"),
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
}

}  // namespace

std::optional<model::DisruptionBudget> decode_disruption_budget(document::Value value,
                                                                Diagnostics& diagnostics,
                                                                Defaults defaults) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::DisruptionBudget budget;
  budget.name = object_name(in, metadata, defaults, kDisruptionBudget);
  budget.namespace_name = namespace_of(metadata, defaults);
  budget.selector = read_label_selector(in.object("spec"), "selector");
  const Value spec = value.find("spec");
  for (const Value one : spec.find("selector").find("matchExpressions").elements())
    check_requirement(one, faults);
  budget.min_available = pod_amount(spec.find("minAvailable"), faults);
  budget.max_unavailable = pod_amount(spec.find("maxUnavailable"), faults);
  if (budget.min_available && budget.max_unavailable)
    faults.report(spec, "minAvailable and maxUnavailable cannot be both set");
  budget.unhealthy_pods = unhealthy_pods(spec.find("unhealthyPodEvictionPolicy"), faults);
  FieldReader status = in.object("status");
  budget.without_status = !value.find("status").find("disruptionsAllowed").set();
  budget.disruptions_allowed = status.integer32("disruptionsAllowed").value_or(0);
  budget.disrupted_pods = status.keys("disruptedPods");
  if (!faults.none()) return std::nullopt;
  return budget;
}

}  // namespace berth::ingest
