#include "engine/ingest/admission/pods/validate_pod.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ingest/admission/label_syntax.h"
#include "engine/ingest/admission/pods/affinity_terms.h"
#include "engine/ingest/admission/pods/match_label_keys.h"

namespace berth::ingest {
namespace {

using Keys = std::vector<std::string>;
using Selector = std::optional<model::LabelSelector>;
using Within = FieldErrors::Within;

constexpr std::string_view kDoNotSchedule = "DoNotSchedule";
constexpr std::string_view kScheduleAnyway = "ScheduleAnyway";
constexpr std::string_view kHonor = "Honor";
constexpr std::string_view kIgnore = "Ignore";
constexpr int32_t kMostWeight = 100;

class Validator {
 public:
  Validator(const model::StringMap& labels, Strictness strictness)
      : labels_(labels), strictness_(strictness) {}

  std::vector<FieldError> run(const model::PodSpec& spec) {
    {
      const Within in_spec(errors_, "spec");
      affinity(spec.affinity);
      spread(spec.topology_spread_constraints);
    }
    return errors_.take();
  }

 private:
  bool created() const { return strictness_ == Strictness::kCreated; }

  void affinity(const model::Affinity& affinity);
  void affinity_term(const model::PodAffinityTerm& term);
  void spread(const std::vector<model::TopologySpreadConstraint>& constraints);
  void spread_constraint(const model::TopologySpreadConstraint& constraint, bool comes_again);
  void min_domains(const model::TopologySpreadConstraint& constraint);
  void policy(const char* field, const std::string& policy);

  void label_selector(const char* field, const Selector& selector, bool values_count);
  void requirement(const model::Requirement& requirement, bool values_count);
  void label_keys(const char* field, const Keys& keys, const Selector& selector);
  void all_label_keys(const Keys& match, const Keys& mismatch, const Selector& selector);
  void keys_selected_twice(const Keys& match, const model::LabelSelector& selector);

  FieldErrors errors_;
  const model::StringMap& labels_;
  const Strictness strictness_;
};

void Validator::affinity(const model::Affinity& affinity) {
  for_each_term(
      affinity, errors_,
      [&](int32_t weight) {
        if (weight < 1 || weight > kMostWeight) {
          errors_.invalid(weight, "must be in the range 1-100");
        }
      },
      [&](const model::PodAffinityTerm& term) { affinity_term(term); });
}

void Validator::affinity_term(const model::PodAffinityTerm& term) {
  label_selector("labelSelector", term.label_selector, created());
  label_selector("namespaceSelector", term.namespace_selector, created());
  for (const std::string& name : term.namespaces) {
    const Within in_namespace(errors_, "namespace");
    errors_.invalid(name, namespace_name_problems(name));
  }
  all_label_keys(term.match_label_keys, term.mismatch_label_keys, term.label_selector);
  const Within in_key(errors_, "topologyKey");
  if (term.topology_key.empty()) errors_.required("can not be empty");
  errors_.invalid(term.topology_key, label_key_problems(term.topology_key));
}

void Validator::spread(const std::vector<model::TopologySpreadConstraint>& constraints) {
  // An API server reports all but the last constraint of a kind as duplicates.
  std::vector<bool> comes_again(constraints.size());
  std::set<std::pair<std::string_view, std::string_view>> later;
  for (size_t i = constraints.size(); i-- > 0;) {
    comes_again[i] =
        !later.emplace(constraints[i].topology_key, constraints[i].when_unsatisfiable).second;
  }
  for (size_t i = 0; i < constraints.size(); ++i) {
    const Within in_constraint(errors_, "topologySpreadConstraints", i);
    spread_constraint(constraints[i], comes_again[i]);
  }
}

void Validator::spread_constraint(const model::TopologySpreadConstraint& constraint,
                                  bool comes_again) {
  if (constraint.max_skew <= 0) {
    const Within in_skew(errors_, "maxSkew");
    errors_.invalid(constraint.max_skew, "must be greater than zero");
  }
  if (constraint.topology_key.empty()) {
    const Within in_key(errors_, "topologyKey");
    errors_.required("can not be empty");
  }
  const std::string& action = constraint.when_unsatisfiable;
  if (action != kDoNotSchedule && action != kScheduleAnyway) {
    const Within in_action(errors_, "whenUnsatisfiable");
    errors_.unsupported(action, {kDoNotSchedule, kScheduleAnyway});
  }
  if (comes_again) {
    const Within in_both(errors_, "{topologyKey, whenUnsatisfiable}");
    errors_.duplicate("{" + constraint.topology_key + ", " + action + "}");
  }
  min_domains(constraint);
  policy("nodeAffinityPolicy", constraint.node_affinity_policy);
  policy("nodeTaintsPolicy", constraint.node_taints_policy);
  if (!created()) {
    all_label_keys(constraint.match_label_keys, {}, constraint.label_selector);
    return;
  }
  Selector merged = constraint.label_selector;
  if (merged) {
    const auto own = [&](std::string_view key) { return label_of(labels_, key); };
    merge_label_keys(constraint.match_label_keys, "In", own, *merged);
  }
  all_label_keys(constraint.match_label_keys, {}, merged);
  label_selector("labelSelector", merged, true);
}

void Validator::min_domains(const model::TopologySpreadConstraint& constraint) {
  if (!constraint.min_domains) return;
  const Within in_domains(errors_, "minDomains");
  if (*constraint.min_domains <= 0) {
    errors_.invalid(*constraint.min_domains, "must be greater than zero");
  }
  if (constraint.when_unsatisfiable != kDoNotSchedule) {
    errors_.invalid(*constraint.min_domains,
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " +
                        constraint.when_unsatisfiable);
  }
}

void Validator::policy(const char* field, const std::string& policy) {
  if (policy.empty() || policy == kHonor || policy == kIgnore) return;
  const Within in_policy(errors_, field);
  errors_.unsupported(policy, {kHonor, kIgnore});
}

void Validator::label_selector(const char* field, const Selector& selector, bool values_count) {
  if (!selector) return;
  const Within in_selector(errors_, field);
  for (const auto& [key, value] : selector->match_labels) {
    const Within in_labels(errors_, "matchLabels");
    errors_.invalid(key, label_key_problems(key));
    errors_.invalid(value, label_value_problems(value));
  }
  for (size_t i = 0; i < selector->match_expressions.size(); ++i) {
    const Within in_expression(errors_, "matchExpressions", i);
    requirement(selector->match_expressions[i], values_count);
  }
}

void Validator::requirement(const model::Requirement& requirement, bool values_count) {
  if (requirement.op == "In" || requirement.op == "NotIn") {
    if (requirement.values.empty()) {
      const Within in_values(errors_, "values");
      errors_.required("must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (requirement.op == "Exists" || requirement.op == "DoesNotExist") {
    if (!requirement.values.empty()) {
      const Within in_values(errors_, "values");
      errors_.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    const Within in_operator(errors_, "operator");
    errors_.invalid_enumerator(requirement.op, "not a valid selector operator");
  }
  {
    const Within in_key(errors_, "key");
    errors_.invalid(requirement.key, label_key_problems(requirement.key));
  }
  for (size_t i = 0; values_count && i < requirement.values.size(); ++i) {
    const Within in_value(errors_, "values", i);
    errors_.invalid(requirement.values[i], label_value_problems(requirement.values[i]));
  }
}

void Validator::label_keys(const char* field, const Keys& keys, const Selector& selector) {
  if (keys.empty()) return;
  if (!selector) {
    const Within in_keys(errors_, field);
    return errors_.forbidden("must not be specified when labelSelector is not set");
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    const Within in_key(errors_, field, i);
    errors_.invalid(keys[i], label_key_problems(keys[i]));
  }
}

void Validator::all_label_keys(const Keys& match, const Keys& mismatch, const Selector& selector) {
  label_keys("matchLabelKeys", match, selector);
  label_keys("mismatchLabelKeys", mismatch, selector);
  if (match.empty()) return;
  if (selector) keys_selected_twice(match, *selector);
  const std::set<std::string_view> others(mismatch.begin(), mismatch.end());
  for (size_t i = 0; i < match.size(); ++i) {
    if (!others.contains(match[i])) continue;
    const Within in_key(errors_, "matchLabelKeys", i);
    errors_.invalid(match[i], "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

// A key may occur once in the selector: that is the requirement which merging adds before
// validation. A second occurrence is an error.
void Validator::keys_selected_twice(const Keys& match, const model::LabelSelector& selector) {
  std::map<std::string_view, size_t> indices;
  for (size_t i = 0; i < match.size(); ++i) indices[match[i]] = i;
  std::set<std::string_view> selected;
  for (const auto& [key, value] : selector.match_labels) selected.insert(key);
  for (const model::Requirement& expression : selector.match_expressions) {
    const auto at = indices.find(expression.key);
    if (!selected.insert(expression.key).second && at != indices.end()) {
      // An API server leaves matchLabelKeys out of the path.
      const Within in_key(errors_, "", at->second);
      errors_.invalid(expression.key, "exists in both matchLabelKeys and labelSelector");
    }
  }
}

}  // namespace

std::vector<FieldError> validate_pod(const model::PodSpec& spec, const model::StringMap& labels,
                                     Strictness strictness) {
  return Validator(labels, strictness).run(spec);
}

}  // namespace berth::ingest
