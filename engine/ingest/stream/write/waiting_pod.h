#pragma once

// Pods that wait for a node, as streams hold them.

#include <string>
#include <vector>

#include "engine/ingest/stream/stream.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

// True if the pod is to be scheduled: it has no node, and has neither finished nor been deleted.
bool waits(const model::Pod& pod);

// True if the object is a claim that came with a pod that waits: it has an owner and no volume.
// Such claims belong to the pods of a conversion, not to the cluster.
bool waits(const model::VolumeObject& object);

// Takes the names of claims (model::own_claims) out of a spec, so that pods with different claims
// share a template. Empty: there are none, or a frame cannot hold one of the names apart from the
// spec, and the spec is unchanged.
std::vector<std::string> take_claims(model::PodSpec& spec);

// Splits a pod into its template and its own parts. Labels whose values differ from pod to pod, as
// those of StatefulSets and Jobs, and claims become the pod's own, so that pods share a template.
// Requires: the pod has no node.
TemplatePod split(model::Pod pod);

}  // namespace berth::ingest
