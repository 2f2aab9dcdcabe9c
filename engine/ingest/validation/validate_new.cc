#include "engine/ingest/validation/validate_new.h"

#include <limits>
#include <string>
#include <string_view>

#include "engine/ingest/validation/container_rules.h"
#include "engine/ingest/validation/duplicate_keys.h"
#include "engine/ingest/validation/metadata_rules.h"
#include "engine/ingest/validation/report_errors.h"
#include "engine/ingest/validation/resource_rules.h"
#include "engine/ingest/validation/scheduling_rules.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;
using Within = FieldErrors::Within;

// The spec of a pod, field by field in the API server's order.
class NewPod {
 public:
  NewPod(Value spec, const model::PodSpec& pod, Validation by, FieldErrors& errors)
      : spec_(spec), pod_(pod), by_(by), errors_(errors) {}

  void check() {
    const Within in_spec(errors_, "spec");
    check_containers(pod_, spec_, by_, errors_);
    if (pod_.has_pod_resources) check_pod_level(pod_, pod_limits(), errors_);
    check_text("restartPolicy", {"Always", "OnFailure", "Never"});
    check_labels("nodeSelector", pod_.node_selector, errors_);
    check_node_affinity(pod_.affinity, errors_);
    check_scheduling_gates(pod_.scheduling_gates, errors_);
    check_deadline();
    check_tolerations(pod_.tolerations, by_, errors_);
    check_text("preemptionPolicy", {"PreemptLowerPriority", "Never"});
    const Within in_overhead(errors_, "overhead");
    check_requirements({}, pod_.overhead, ResourceNames::kContainer, errors_);
  }

 private:
  // Limits of the pod level are not kept, because scheduling does not read them. Their faults were
  // reported when the pod was read.
  model::ResourceList pod_limits() const {
    Diagnostics known;
    Faults faults(known);
    return FieldReader(spec_, faults).object("resources").resources("limits", Defaults::kApiServer);
  }

  void check_text(const char* field, std::initializer_list<std::string_view> supported) {
    const Value value = spec_.find(field);
    if (!value.is(Kind::kString)) return;
    for (const std::string_view one : supported)
      if (value.as_string() == one) return;
    // An API server sets an empty restart policy, as an absent one.
    if (value.as_string().empty() && std::string_view(field) == "restartPolicy") return;
    const Within in_field(errors_, field);
    if (value.as_string().empty()) return errors_.required("");
    errors_.unsupported(value.as_string(), supported);
  }

  void check_deadline() {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    const Value value = spec_.find("activeDeadlineSeconds");
    const std::optional<int64_t> seconds =
        value.is(Kind::kNumber) ? value.as_int64() : std::nullopt;
    if (!seconds || (*seconds >= 1 && *seconds <= kMost)) return;
    const Within in_deadline(errors_, "activeDeadlineSeconds");
    errors_.invalid(*seconds, "must be between 1 and 2147483647, inclusive");
  }

  Value spec_;
  const model::PodSpec& pod_;
  const Validation by_;
  FieldErrors& errors_;
};

void check_pod(Value object, const model::Pod& pod, bool named, Validation by, Faults& faults) {
  FieldErrors errors;
  const Value metadata = object.find("metadata");
  {
    const Within in_metadata(errors, "metadata");
    if (named) check_name(metadata, "Pod", errors);
    check_labels("labels", pod.spec.labels, errors);
    check_annotations(metadata, errors);
    if (named) check_owner_references(metadata, errors);
  }
  NewPod(object.find("spec"), pod.spec, by, errors).check();
  report_new_errors(object, errors.take(), faults);
}

}  // namespace

void validate_new_pod(Value object, const model::Pod& pod, Validation by, Faults& faults) {
  check_pod(object, pod, true, by, faults);
  report_duplicate_keys(object, faults);
}

void validate_new_template(Value pod_template, const model::Pod& pod, Validation by,
                           Faults& faults) {
  check_pod(pod_template, pod, false, by, faults);
}

void validate_new_metadata(Value object, std::string_view kind, const model::StringMap* labels,
                           Faults& faults) {
  FieldErrors errors;
  const Value metadata = object.find("metadata");
  {
    const Within in_metadata(errors, "metadata");
    check_name(metadata, kind, errors);
    if (labels != nullptr) check_labels("labels", *labels, errors);
    check_annotations(metadata, errors);
    check_owner_references(metadata, errors);
  }
  report_new_errors(object, errors.take(), faults);
  report_duplicate_keys(object, faults);
}

void validate_new_node(Value object, const model::Node& node, Validation by, Faults& faults) {
  FieldErrors errors;
  {
    const Within in_spec(errors, "spec");
    check_taints(node.taints, errors);
  }
  {
    const Within in_status(errors, "status");
    const bool from_capacity = !object.find("status").find("allocatable").is(Kind::kObject);
    check_node_amounts(from_capacity ? "capacity" : "allocatable", node.allocatable, errors);
    if (by == Validation::kNew1_36) check_declared_features(node.declared_features, errors);
  }
  report_new_errors(object, errors.take(), faults);
  validate_new_metadata(object, "Node", &node.labels, faults);
}

}  // namespace berth::ingest
