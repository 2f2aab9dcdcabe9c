#pragma once

// The cost of a pod's deletion, by which a ReplicaSet with too many pods chooses: an annotation.
// Source: k8s.io/kubernetes pkg/apis/core/helper, GetDeletionCostFromPodAnnotations.

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

inline constexpr char kDeletionCost[] = "controller.kubernetes.io/pod-deletion-cost";

// Reads the annotation; faults are reported.
void read_deletion_cost(const FieldReader& annotations, model::PodSpec& spec);

}  // namespace berth::ingest
