#pragma once

// Pods and nodes as they came, for those that read more of them than scheduling does.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/workloads/workload.h"

namespace berth::ingest {

struct WholeObject {
  enum class Kind : uint8_t { kPod, kNode, kPodTemplate };

  // Larger objects are not kept: an API server stores none.
  static constexpr size_t kMostBytes = size_t{3} << 19;

  Kind kind = Kind::kPod;
  std::string key;    // see the functions below
  std::string uid;    // empty: not told
  std::string json;   // without metadata.managedFields; empty: larger than kMostBytes
  std::string known;  // what append() makes of the part that the model holds; no defaults
  model::StringMap annotations;  // of pods and their templates, also if the object is too large
  uint32_t line = 0;             // of its file

  bool kept() const { return !json.empty(); }
};

std::string key_of_pod(std::string_view namespace_name, std::string_view name);
// Of the pod template of a workload, by the controller that its pods have.
std::string key_of_template(std::string_view namespace_name, const model::Controller& controller);

// Precondition of each: the object was read without a fault, to what the other arguments say.
WholeObject whole_pod(document::Value object, const model::Pod& pod);
WholeObject whole_node(document::Value object, const model::Node& node);
// Of the workload's pods: metadata and spec of the template.
WholeObject whole_template(document::Value workload_object, const Workload& workload);

// The object with what changed since it came: `now` is what append() makes of the model's object.
// Fields that the model does not hold, and fields that did not change, are as they came.
std::string updated(const WholeObject& object, const std::string& now);

}  // namespace berth::ingest
