#pragma once

// Visits the terms of a pod's affinity and anti-affinity to other pods. Internal to this module.

#include "engine/ingest/admission/field_errors.h"
#include "engine/ingest/objects/fields/affinity_fields.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Calls visit(term) for each term, with the place of `errors` at the term. For preferred terms it
// first calls weigh(weight) with the place at the weight. Affinity can be const or not.
template <typename Affinity, typename Weigh, typename Visit>
void for_each_term(Affinity& affinity, FieldErrors& errors, Weigh&& weigh, Visit&& visit) {
  using Within = FieldErrors::Within;
  const Within in_affinity(errors, "affinity");
  const auto visit_all = [&](auto& terms, const char* field) {
    if (!terms) return;
    const Within in_field(errors, field);
    for (size_t i = 0; i < terms->required.size(); ++i) {
      const Within in_term(errors, kRequiredTerms, i);
      visit(terms->required[i]);
    }
    for (size_t i = 0; i < terms->preferred.size(); ++i) {
      const Within in_weighted(errors, kPreferredTerms, i);
      auto& [weight, term] = terms->preferred[i];
      {
        const Within in_weight(errors, "weight");
        weigh(weight);
      }
      const Within in_term(errors, "podAffinityTerm");
      visit(term);
    }
  };
  visit_all(affinity.pod_affinity, "podAffinity");
  visit_all(affinity.pod_anti_affinity, "podAntiAffinity");
}

}  // namespace berth::ingest
