#pragma once

// A pod that waits for a node, as the columns of a frame.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ingest/stream/write/stream_writer.h"
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
class WaitingPod {
 public:
  // Gives the template to the writer. Throws Error if the template does not fit in a frame.
  // Requires: the pod has no node.
  WaitingPod(model::Pod pod, StreamWriter& writer);
  WaitingPod(const WaitingPod&) = delete;
  WaitingPod& operator=(const WaitingPod&) = delete;

  // For StreamWriter::add_pod. Valid as long as this object.
  const StreamPod& columns() const { return columns_; }

 private:
  model::StringMap own_;  // these two before pod_, whose initialiser fills them
  std::vector<std::string> claims_;
  const model::Pod pod_;
  std::vector<std::pair<std::string_view, std::string_view>> labels_;  // of own_
  std::vector<std::string_view> claim_names_;                          // of claims_
  StreamPod columns_;
};

}  // namespace berth::ingest
