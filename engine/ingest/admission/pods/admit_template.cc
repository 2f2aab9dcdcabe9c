#include "engine/ingest/admission/pods/admit_template.h"

#include <string_view>
#include <vector>

#include "engine/ingest/admission/pods/validate_pod.h"

namespace berth::ingest {

void admit_template(const model::PodSpec& spec, ObjectDecoder& decoder) {
  // Without labels: the pods' labels, and therefore the merged keys of topology spread, are unknown
  // here.
  std::vector<FieldError> errors = validate_pod(spec, {}, Strictness::kCreated);
  if (errors.empty()) {
    errors = unmerged_label_keys(spec.affinity,
                                 [&](std::string_view key) { return label_of(spec.labels, key); });
  }
  if (!errors.empty()) decoder.refuse(errors[0].path.c_str(), errors[0].message);
}

std::optional<std::string> own_labels_problem(const model::PodSpec& spec, const LabelOf& own) {
  // The template's own labels were checked with the template.
  const std::vector<FieldError> errors = unmerged_label_keys(spec.affinity, own);
  if (errors.empty()) return std::nullopt;
  return "with its labels, " + errors[0].path + " of its template " + errors[0].message;
}

}  // namespace berth::ingest
