#include "engine/ingest/admission/pods/match_label_keys.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "engine/ingest/admission/pods/affinity_terms.h"

namespace berth::ingest {
namespace {

constexpr char kIn[] = "In";
constexpr char kNotIn[] = "NotIn";

// Calls add(key, value) for each missing requirement `key op (value)`. A duplicate key counts
// twice: an API server adds both requirements and then rejects them.
template <typename Add>
void for_each_missing(const std::vector<std::string>& keys, const char* op, const LabelOf& label_of,
                      const model::LabelSelector& selector, Add&& add) {
  if (keys.empty()) return;
  std::map<std::pair<std::string_view, std::string_view>, size_t> present;
  for (const model::Requirement& r : selector.match_expressions) {
    if (r.op == op && r.values.size() == 1) ++present[{r.key, r.values[0]}];
  }
  for (const std::string& key : keys) {
    const std::optional<std::string_view> value = label_of(key);
    if (!value) continue;
    const auto at = present.find({key, *value});
    if (at == present.end() || at->second == 0) {
      add(key, *value);
    } else {
      --at->second;
    }
  }
}

bool names_label_keys(const model::PodAffinityTerm& term) {
  return term.label_selector &&
         (!term.match_label_keys.empty() || !term.mismatch_label_keys.empty());
}

bool names_label_keys(const std::optional<model::PodAffinity>& affinity) {
  if (!affinity) return false;
  return std::ranges::any_of(affinity->required,
                             [](const auto& term) { return names_label_keys(term); }) ||
         std::ranges::any_of(affinity->preferred,
                             [](const auto& weighted) { return names_label_keys(weighted.term); });
}

void check_merged(const std::vector<std::string>& keys, const char* field, const char* op,
                  const LabelOf& label_of, const model::LabelSelector& selector,
                  FieldErrors& errors) {
  const FieldErrors::Within in_keys(errors, field);
  for_each_missing(keys, op, label_of, selector, [&](std::string_view key, std::string_view value) {
    errors.add("is not merged: the labelSelector beside it lacks " + std::string(key) + " " + op +
               " (" + std::string(value) + "), which an API server adds for the pod's label");
  });
}

}  // namespace

void merge_label_keys(const std::vector<std::string>& keys, const char* op, const LabelOf& label_of,
                      model::LabelSelector& selector) {
  std::vector<model::Requirement> missing;
  for_each_missing(keys, op, label_of, selector, [&](std::string_view key, std::string_view value) {
    missing.push_back({std::string(key), op, {std::string(value)}});
  });
  std::ranges::move(missing, std::back_inserter(selector.match_expressions));
}

void merge_label_keys(const LabelOf& label_of, model::Affinity& affinity) {
  if (!has_label_keys(affinity)) return;
  FieldErrors none;
  for_each_term(
      affinity, none, [](int32_t) {},
      [&](model::PodAffinityTerm& term) {
        if (!term.label_selector) return;
        merge_label_keys(term.match_label_keys, kIn, label_of, *term.label_selector);
        merge_label_keys(term.mismatch_label_keys, kNotIn, label_of, *term.label_selector);
      });
}

bool has_label_keys(const model::Affinity& affinity) {
  return names_label_keys(affinity.pod_affinity) || names_label_keys(affinity.pod_anti_affinity);
}

std::vector<FieldError> unmerged_label_keys(const model::Affinity& affinity,
                                            const LabelOf& label_of) {
  if (!has_label_keys(affinity)) return {};
  FieldErrors errors;
  const FieldErrors::Within in_spec(errors, "spec");
  for_each_term(
      affinity, errors, [](int32_t) {},
      [&](const model::PodAffinityTerm& term) {
        if (!term.label_selector) return;
        check_merged(term.match_label_keys, "matchLabelKeys", kIn, label_of, *term.label_selector,
                     errors);
        check_merged(term.mismatch_label_keys, "mismatchLabelKeys", kNotIn, label_of,
                     *term.label_selector, errors);
      });
  return errors.take();
}

}  // namespace berth::ingest
