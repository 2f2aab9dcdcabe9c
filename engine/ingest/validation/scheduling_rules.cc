#include "engine/ingest/validation/scheduling_rules.h"
#include "engine/base/text/characters.h"

#include <set>
#include <string_view>
#include <utility>

#include "engine/ingest/admission/label_syntax.h"
#include "engine/ingest/objects/fields/affinity_fields.h"
#include "engine/ingest/validation/seen_texts.h"

namespace berth::ingest {
namespace {

using Within = FieldErrors::Within;

constexpr std::string_view kNoSchedule = "NoSchedule";
constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";
constexpr std::string_view kNoExecute = "NoExecute";
constexpr int32_t kMostNodeWeight = 100;

// An API server joins the problems of a value in one message where it checks tolerations and
// taints.
void check_value(std::string_view value, FieldErrors& errors) {
  const std::vector<std::string> problems = label_value_problems(value);
  if (problems.empty()) return;
  std::string all;
  for (const std::string& problem : problems) all += (all.empty() ? "" : ";") + problem;
  errors.invalid(value, all);
}

void check_effect(std::string_view effect, FieldErrors& errors) {
  if (effect == kNoSchedule || effect == kPreferNoSchedule || effect == kNoExecute) return;
  const Within in_effect(errors, "effect");
  errors.unsupported(effect, {kNoSchedule, kPreferNoSchedule, kNoExecute});
}

void check_key(std::string_view key, FieldErrors& errors) {
  const Within in_key(errors, "key");
  errors.invalid(key, label_key_problems(key));
}

// From 1.36 on two more are known, and are not supported unless a gate that is off is on.
void check_operator(const model::Toleration& toleration, Validation by, FieldErrors& errors) {
  const Within in_operator(errors, "operator");
  if (toleration.op == "Exists") {
    if (!toleration.value.empty())
      errors.invalid(toleration.value, "value must be empty when `operator` is 'Exists'");
  } else if (toleration.op.empty() || toleration.op == "Equal") {
    check_value(toleration.value, errors);
  } else if (by == Validation::kNew1_36 && (toleration.op == "Lt" || toleration.op == "Gt")) {
    errors.unsupported(toleration.op, {"Equal", "Exists", "Lt", "Gt"});
  } else {
    errors.unsupported(toleration.op, {"Equal", "Exists"});
  }
}

void check_toleration(const model::Toleration& toleration, Validation by, FieldErrors& errors) {
  if (!toleration.key.empty()) check_key(toleration.key, errors);
  if (toleration.key.empty() && toleration.op != "Exists") {
    const Within in_operator(errors, "operator");
    errors.invalid_enumerator(toleration.op,
                              "operator must be Exists when `key` is empty, which means \"match "
                              "all values and all keys\"");
  }
  if (toleration.seconds && toleration.effect != kNoExecute) {
    const Within in_effect(errors, "effect");
    errors.invalid_enumerator(toleration.effect,
                              "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  check_operator(toleration, by, errors);
  if (!toleration.effect.empty()) check_effect(toleration.effect, errors);
}

void check_requirement(const model::Requirement& requirement, bool values_count,
                       FieldErrors& errors) {
  const std::string& op = requirement.op;
  const size_t count = requirement.values.size();
  {
    const Within in_values(errors, "values");
    if ((op == "In" || op == "NotIn") && count == 0)
      errors.required("must be specified when `operator` is 'In' or 'NotIn'");
    if ((op == "Exists" || op == "DoesNotExist") && count != 0)
      errors.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    if ((op == "Gt" || op == "Lt") && count != 1)
      errors.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  }
  constexpr std::string_view kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  bool known = false;
  for (const std::string_view one : kOperators) known = known || op == one;
  if (!known) {
    const Within in_operator(errors, "operator");
    errors.invalid_enumerator(op, "not a valid selector operator");
  }
  check_key(requirement.key, errors);
  for (size_t i = 0; values_count && i < count; ++i) {
    const Within in_value(errors, "values", i);
    errors.invalid(requirement.values[i], label_value_problems(requirement.values[i]));
  }
}

void check_field_requirement(const model::Requirement& requirement, FieldErrors& errors) {
  if (requirement.op == "In" || requirement.op == "NotIn") {
    if (requirement.values.size() != 1) {
      const Within in_values(errors, "values");
      errors.required(
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
  } else {
    const Within in_operator(errors, "operator");
    errors.invalid_enumerator(requirement.op, "not a valid selector operator");
  }
  if (requirement.key != "metadata.name") {
    const Within in_key(errors, "key");
    return errors.invalid(requirement.key, "not a valid field selector key");
  }
  for (size_t i = 0; i < requirement.values.size(); ++i) {
    const Within in_value(errors, "values", i);
    errors.invalid(requirement.values[i], object_name_problems(requirement.values[i]));
  }
}

void check_term(const model::NodeSelectorTerm& term, bool values_count, FieldErrors& errors) {
  for (size_t i = 0; i < term.match_expressions.size(); ++i) {
    const Within in_expression(errors, "matchExpressions", i);
    check_requirement(term.match_expressions[i], values_count, errors);
  }
  for (size_t i = 0; i < term.match_fields.size(); ++i) {
    const Within in_field(errors, "matchFields", i);
    check_field_requirement(term.match_fields[i], errors);
  }
}

void check_required_terms(const model::NodeSelector& selector, FieldErrors& errors) {
  const Within in_required(errors, kRequiredTerms);
  if (selector.terms.empty()) {
    const Within in_terms(errors, "nodeSelectorTerms");
    return errors.required("must have at least one node selector term");
  }
  for (size_t i = 0; i < selector.terms.size(); ++i) {
    const Within in_term(errors, "nodeSelectorTerms", i);
    check_term(selector.terms[i], true, errors);
  }
}

// As JSON of the API server's own structure.
std::string printed(const model::Taint& taint) {
  return "{\"Key\":" + document::quoted(taint.key) + ",\"Value\":" + document::quoted(taint.value) +
         ",\"Effect\":" + document::quoted(taint.effect) + ",\"TimeAdded\":null}";
}

// Segments between slashes, each a letter and then letters and digits; the first letter is a
// capital one.
bool is_feature_name(std::string_view name) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  if (name.empty() || !capital(name[0])) return false;
  bool begins = true;
  for (const char c : name) {
    if (begins ? !letter(c) : !(letter(c) || is_digit(c) || c == '/')) return false;
    begins = c == '/';
  }
  return !begins;
}

std::string feature_problem(std::string_view name) {
  constexpr size_t kLongest = 253;
  const std::string head = "invalid feature name " + document::quoted(name) + ": must ";
  if (name.size() > kLongest)
    return head + "be no more than " + std::to_string(kLongest) + " characters";
  if (is_feature_name(name)) return {};
  return head +
         "start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., "
         "MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and "
         "slashes";
}

}  // namespace

void check_tolerations(const std::vector<model::Toleration>& tolerations, Validation by,
                       FieldErrors& errors, const char* field) {
  for (size_t i = 0; i < tolerations.size(); ++i) {
    const Within in_toleration(errors, field, i);
    check_toleration(tolerations[i], by, errors);
  }
}

void check_node_affinity(const model::Affinity& affinity, FieldErrors& errors) {
  const Within in_affinity(errors, "affinity");
  const Within in_node(errors, "nodeAffinity");
  if (affinity.node_required) check_required_terms(*affinity.node_required, errors);
  for (size_t i = 0; i < affinity.node_preferred.size(); ++i) {
    const auto& [weight, preference] = affinity.node_preferred[i];
    const Within in_term(errors, kPreferredTerms, i);
    if (weight < 1 || weight > kMostNodeWeight) {
      const Within in_weight(errors, "weight");
      errors.invalid(weight, "must be in the range 1-100");
    }
    const Within in_preference(errors, "preference");
    check_term(preference, false, errors);
  }
}

void check_scheduling_gates(const std::vector<std::string>& gates, FieldErrors& errors) {
  SeenTexts names;
  for (size_t i = 0; i < gates.size(); ++i) {
    const Within in_gate(errors, "schedulingGates", i);
    errors.invalid(gates[i], label_key_problems(gates[i]));
    if (!names.add(gates[i])) errors.duplicate(gates[i]);
  }
}

void check_taints(const std::vector<model::Taint>& taints, FieldErrors& errors) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (size_t i = 0; i < taints.size(); ++i) {
    const model::Taint& taint = taints[i];
    const Within in_taint(errors, "taints", i);
    check_key(taint.key, errors);
    {
      const Within in_value(errors, "value");
      check_value(taint.value, errors);
    }
    if (taint.effect.empty()) {
      const Within in_effect(errors, "effect");
      errors.required("");
    } else {
      check_effect(taint.effect, errors);
    }
    if (!known.emplace(taint.key, taint.effect).second)
      errors.add("Duplicate value: " + printed(taint) +
                 ": taints must be unique by key and effect pair");
  }
}

void check_declared_features(const std::vector<std::string>& features, FieldErrors& errors) {
  for (size_t i = 0; i < features.size(); ++i) {
    const Within in_feature(errors, "declaredFeatures", i);
    if (i != 0 && features[i - 1] == features[i]) errors.duplicate(features[i]);
    if (i != 0 && features[i - 1] > features[i])
      errors.invalid(features[i], "list must be sorted alphabetically");
    if (const std::string problem = feature_problem(features[i]); !problem.empty())
      errors.invalid(features[i], problem);
  }
}

}  // namespace berth::ingest
