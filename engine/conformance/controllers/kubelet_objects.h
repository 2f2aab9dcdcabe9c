#pragma once

// Pods and nodes of a case as a kubelet reads them. A fault in one is an error of the case.

#include <optional>
#include <string_view>

#include "engine/controllers/conditions.h"
#include "engine/controllers/kubelet/admission/starting_pod.h"
#include "engine/controllers/kubelet/eviction/machine.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"

namespace berth::conformance {

controllers::kubelet::Pod kubelet_pod(document::Value object);
controllers::kubelet::StartingPod starting_pod(document::Value object);
controllers::kubelet::NodeFacts node_facts(document::Value object);

// The member `usage` of a pod or of an operation; nothing if it is absent.
std::optional<controllers::kubelet::PodUsage> pod_usage(document::Value object);

// Writes the member `condition`, without its transition.
void write_condition(document::JsonWriter& writer, const controllers::Condition& condition);

// A member that is an integer from 0 to 2^53. Nothing: it is absent. Throws Error if it is
// something else.
std::optional<int64_t> integer_at(document::Value object, std::string_view field);

}  // namespace berth::conformance
