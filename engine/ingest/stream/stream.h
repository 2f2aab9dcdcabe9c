#pragma once

// What comes out of a stream of frames, one batch per frame. abi/schema/README.md describes the
// format.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/objects/events.h"

namespace berth::ingest {

// Bounds of what a stream may hold, beside that of a frame (kMaxFramePayload in
// engine/base/frame.h).
inline constexpr uint32_t kMaxTemplateId = (1u << 20) - 1;
inline constexpr size_t kMaxPodsPerFrame = 65'536;
inline constexpr size_t kMaxColumnString = 255;  // bytes of a name, uid or label value in a column

// What frames hold is what enters the model.
using model::ClusterPart;
using model::Event;
using model::NamespaceAdded;
using model::NamespaceDeleted;
using model::NamespaceUpdated;
using model::NodeAdded;
using model::NodeDeleted;
using model::NodeUpdated;
using model::PodBatch;
using model::PodDeleted;
using model::PodFinished;
using model::PodPlaced;
using model::PodUpdated;
using model::SelectorOwnerAdded;
using model::SelectorOwnerDeleted;
using model::SelectorOwnerUpdated;
using model::TemplateDefinition;
using model::TemplatePod;

// Pods and the nodes that they were bound to, in the order of the decisions. Views as in PodBatch.
struct BindingBatch {
  std::vector<std::string_view> namespaces, names, nodes;  // one of each per binding

  size_t size() const { return names.size(); }
  void clear();
};

enum class BatchKind : uint8_t { kNote, kTemplates, kCluster, kEvents, kPods, kBindings, kEnd };

// The content of one frame: the member that `kind` names, and `kEnd` none. Keeps its buffers when
// it is read into again and when it is swapped, so that batches that go round cost no allocation.
struct Batch {
  BatchKind kind = BatchKind::kEnd;
  uint64_t offset = 0;  // of the frame, in the stream

  std::string note;
  std::vector<TemplateDefinition> templates;
  ClusterPart cluster;
  std::vector<Event> events;
  PodBatch pods;
  BindingBatch bindings;

  // A copy of the frame's payload, aligned: what the views point into.
  std::vector<uint64_t> payload;
};

}  // namespace berth::ingest
