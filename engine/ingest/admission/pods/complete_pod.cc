#include "engine/ingest/admission/pods/complete_pod.h"

#include <string_view>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/admission/pods/validate_pod.h"
#include "engine/ingest/validation/report_errors.h"

namespace berth::ingest {
using document::Value;

void complete_pod(Value object, model::Pod& pod, Faults& faults) {
  const model::StringMap& labels = pod.spec.labels;
  merge_label_keys([&](std::string_view key) { return label_of(labels, key); }, pod.spec.affinity);
  const Strictness strictness = pod.bound() ? Strictness::kExisting : Strictness::kCreated;
  report_new_errors(object, validate_pod(pod.spec, labels, strictness), faults);
}

}  // namespace berth::ingest
