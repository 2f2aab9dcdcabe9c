#pragma once

// The content of a stream of frames, one batch per frame. abi/schema/README.md describes the
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

// Limits of a stream, in addition to that of a frame (kMaxFramePayload in engine/base/frame.h).
inline constexpr uint32_t kMaxTemplateId = (1u << 20) - 1;
inline constexpr size_t kMaxPodsPerFrame = 65'536;
inline constexpr size_t kMaxColumnString = 255;  // bytes of a name, uid or label value in a column

struct TemplateDefinition {
  uint32_t id = 0;
  std::shared_ptr<const model::PodSpec> spec;  // never null
};

// A pod that shares its spec with others, because a small frame can refer to a large template many
// times.
struct TemplatePod {
  uint32_t template_id = 0;
  std::shared_ptr<const model::PodSpec> spec;  // the template's; never null
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<model::Controller> controller;
  // The node that it is placed on, even if the template names it too; empty: none.
  std::string node_name;
  model::StringMap labels;  // in addition to the template's; a label with the same key replaces it
  model::PodPhase phase = model::PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;

  model::Pod pod() const;  // merges everything into one value
};

// Pods that arrive together and are to be scheduled. All columns have the same length, or are empty
// if no pod uses them. The views are valid until the batch that contains this is read into again.
struct PodBatch {
  std::vector<uint32_t> template_ids;  // all defined earlier
  std::vector<uint32_t> namespace_indices;
  std::vector<std::string_view> namespaces;  // referred to by namespace_indices
  std::vector<std::string_view> names;       // not empty
  std::vector<std::string_view> uids;
  std::vector<std::string_view> nominated_nodes;  // "": not nominated

  // The pods' own labels, in addition to or instead of the template's. Those of pod i are
  // labels[label_ends[i - 1]] up to, not including, labels[label_ends[i]]; keys ascend and are
  // unique.
  std::vector<uint32_t> label_ends;
  std::vector<std::pair<std::string_view, std::string_view>> labels;

  std::vector<model::Controller> controllers;  // referred to by controller_indices
  std::vector<uint32_t> controller_indices;    // 0: none, i: controllers[i - 1]

  size_t size() const { return template_ids.size(); }
  std::string_view namespace_of(size_t pod) const { return namespaces[namespace_indices[pod]]; }
  // Null if the pod has none.
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
  TemplatePod pod;  // node_name is not empty, the pod is not finished
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

// A part of a cluster. The parts of a stream add up.
struct ClusterPart {
  std::vector<model::Node> nodes;
  std::vector<model::Namespace> namespaces;
  std::vector<TemplatePod> pods;  // placed, waiting or finished
  std::vector<model::SelectorOwner> selector_owners;
};

// Bindings of pods to nodes, in the order of the decisions. Views as in PodBatch.
struct BindingBatch {
  std::vector<std::string_view> namespaces, names, nodes;  // parallel

  size_t size() const { return names.size(); }
  void clear();
};

enum class BatchKind : uint8_t { kNote, kTemplates, kCluster, kEvents, kPods, kBindings, kEnd };

// The content of one frame. `kind` says which member is set; kEnd has none. Buffers are kept when a
// batch is read into again or swapped, so reusing batches costs no allocation.
struct Batch {
  BatchKind kind = BatchKind::kEnd;
  uint64_t offset = 0;  // of the frame in the stream

  std::string note;
  std::vector<TemplateDefinition> templates;
  ClusterPart cluster;
  std::vector<Event> events;
  PodBatch pods;
  BindingBatch bindings;

  // An aligned copy of the frame's payload, into which the views point.
  std::vector<uint64_t> payload;
};

}  // namespace berth::ingest
