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

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Bounds of what a stream may hold, beside that of a frame (kMaxFramePayload in
// engine/base/frame.h).
inline constexpr uint32_t kMaxTemplateId = (1u << 20) - 1;
inline constexpr size_t kMaxPodsPerFrame = 65'536;
inline constexpr size_t kMaxColumnString = 255;  // bytes of a name, uid or label value in a column

struct TemplateDefinition {
  uint32_t id = 0;
  std::shared_ptr<const model::PodSpec> spec;  // never null
};

// A pod that shares its spec with others, for a small frame may name a large template many times.
struct TemplatePod {
  uint32_t template_id = 0;
  std::shared_ptr<const model::PodSpec> spec;  // the template's; never null
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<model::Controller> controller;
  std::string node_name;    // where it is placed, also if the template says so; empty: nowhere
  model::StringMap labels;  // besides the template's, or in place of those of the same key
  model::PodPhase phase = model::PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;

  model::Pod pod() const;  // all in one value
};

// Pods that wait to be scheduled and arrive together. Columns of equal length, except that those
// nobody uses are empty. The views are valid as long as the batch that holds this is not read into
// again.
struct PodBatch {
  std::vector<uint32_t> template_ids;  // each was defined before
  std::vector<uint32_t> namespace_indices;
  std::vector<std::string_view> namespaces;  // what namespace_indices point into
  std::vector<std::string_view> names;       // not empty
  std::vector<std::string_view> uids;
  std::vector<std::string_view> nominated_nodes;  // "": not nominated

  // Labels that a pod has besides those of its template, or in place of those of the same key: of
  // the i-th pod labels[label_ends[i - 1]] up to labels[label_ends[i]], keys ascending and unique.
  std::vector<uint32_t> label_ends;
  std::vector<std::pair<std::string_view, std::string_view>> labels;

  std::vector<model::Controller> controllers;  // what controller_indices mean
  std::vector<uint32_t> controller_indices;    // 0: none, i: controllers[i - 1]

  size_t size() const { return template_ids.size(); }
  std::string_view namespace_of(size_t pod) const { return namespaces[namespace_indices[pod]]; }
  // Null if it has none.
  const model::Controller* controller_of(size_t pod) const {
    const uint32_t index = controller_indices.empty() ? 0 : controller_indices[pod];
    return index == 0 ? nullptr : &controllers[index - 1];
  }
  void clear();
};

struct NodeAdded {
  model::Node node;
};
struct NodeUpdated {
  model::Node node;
};
struct NodeDeleted {
  std::string name;
};
struct PodPlaced {
  TemplatePod pod;  // node_name is not empty, and the pod not finished
};
struct PodUpdated {
  TemplatePod pod;  // placed or not
};
struct PodDeleted {
  std::string namespace_name, name;
};
struct PodFinished {
  std::string namespace_name, name;
};
struct NamespaceAdded {
  model::Namespace object;
};
struct NamespaceUpdated {
  model::Namespace object;
};
struct NamespaceDeleted {
  std::string name;
};
struct SelectorOwnerAdded {
  model::SelectorOwner object;
};
struct SelectorOwnerUpdated {
  model::SelectorOwner object;
};
struct SelectorOwnerDeleted {
  model::SelectorOwnerKind kind = model::SelectorOwnerKind::kService;
  std::string namespace_name, name;
};

using Event = std::variant<NodeAdded, NodeUpdated, NodeDeleted, PodPlaced, PodUpdated, PodDeleted,
                           PodFinished, NamespaceAdded, NamespaceUpdated, NamespaceDeleted,
                           SelectorOwnerAdded, SelectorOwnerUpdated, SelectorOwnerDeleted>;

// A part of a cluster; the parts of a stream add up.
struct ClusterPart {
  std::vector<model::Node> nodes;
  std::vector<model::Namespace> namespaces;
  std::vector<TemplatePod> pods;  // placed, waiting or finished
  std::vector<model::SelectorOwner> selector_owners;
};

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

  // The line of the text that each object came from, one per object; empty if there is no text.
  // StreamReader leaves it alone.
  std::vector<uint32_t> lines;

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
