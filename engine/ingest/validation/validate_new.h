#pragma once

// Validates objects that are created here, as an API server does: reports everything that it would
// refuse, in its words, with the field's place. Source: k8s.io/kubernetes v1.34.1 and v1.36.2
// pkg/apis/core/validation, with the default feature gates. Internal to this module.
//
// Of the rules, those of fields that scheduling reads are here, of topology spread and pod affinity
// those in admission/pods/validate_pod.h. Rules for images, volumes, probes, environments and
// security contexts are not. A field is named by its path in the object also where an API server
// names another (metadata.taints for the taints of a node).

#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Each reports what is wrong with `object`, from which the second argument was read, except at
// fields of which a fault was reported before. `by`: not kNone.

void validate_new_pod(document::Value object, const model::Pod& pod, Validation by, Faults& faults);
// `pod_template`: a PodTemplateSpec. Its metadata has no name.
void validate_new_template(document::Value pod_template, const model::Pod& pod, Validation by,
                           Faults& faults);
void validate_new_node(document::Value object, const model::Node& node, Validation by,
                       Faults& faults);
// The metadata of an object of any kind. `labels`: null if they are not read.
void validate_new_metadata(document::Value object, std::string_view kind,
                           const model::StringMap* labels, Faults& faults);

}  // namespace berth::ingest
