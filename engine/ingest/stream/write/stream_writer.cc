#include "engine/ingest/stream/write/stream_writer.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "berth/schema/cluster_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/ingest/stream/read/stream_check.h"
#include "engine/ingest/stream/write/stream_encode.h"
#include "engine/ingest/stream/write/waiting_pod.h"

namespace berth::ingest {
namespace {

using flatbuffers::Offset;
using schema::EventKind;
using schema::FrameKind;

// A frame is written when its objects reach this size, so that one more always fits.
constexpr size_t kFullFrame = kMaxFramePayload / 2;
constexpr size_t kMaxObject = kMaxFramePayload / 4;
// A template has a frame of its own.
constexpr size_t kAroundTemplate = 1024;
static_assert(kMaxSpecInStream + kAroundTemplate <= kMaxFramePayload);

template <typename... Calls>
struct Overloaded : Calls... {
  using Calls::operator()...;
};
template <typename... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;

void check_object_size(size_t size) {
  if (size <= kMaxObject) return;
  throw Error("an object takes " + std::to_string(size) + " bytes in a stream, and at most " +
              std::to_string(kMaxObject) + " are possible");
}

}  // namespace

template <typename Table>
void StreamWriter::write_frame(FrameKind kind, Builder& payload, Offset<Table> root) {
  BERTH_ASSERT(!ended_);
  payload.Finish(root);
  frames_.write(static_cast<uint8_t>(kind), {payload.GetBufferPointer(), payload.GetSize()});
  payload.Clear();
  ++frame_count_;
}

// Writes `count` objects in frames of this kind. `encode(i)` builds the i-th object in builder_,
// and `finish(offsets)` builds the root table of a frame.
template <typename Encode, typename Finish>
void StreamWriter::write_parts(FrameKind kind, size_t count, Encode encode, Finish finish) {
  std::vector<decltype(encode(size_t{0}))> offsets;
  for (size_t i = 0; i < count; ++i) {
    const size_t before = builder_.GetSize();
    offsets.push_back(encode(i));
    check_object_size(builder_.GetSize() - before);
    if (i + 1 < count && builder_.GetSize() < kFullFrame && offsets.size() < kMaxVectorLength) {
      continue;
    }
    write_frame(kind, builder_, finish(builder_.CreateVector(offsets)));
    offsets.clear();
  }
}

void StreamWriter::note(std::string_view text) {
  check_object_size(text.size());
  const auto offset = builder_.CreateString(text.data(), text.size());
  write_frame(FrameKind::Note, builder_, schema::CreateNote(builder_, offset));
}

uint32_t StreamWriter::template_id(const model::PodSpec& spec) {
  Builder& builder = template_builder_;
  builder.Finish(encode(builder, spec));
  std::string identity(reinterpret_cast<const char*>(builder.GetBufferPointer()),
                       builder.GetSize());
  builder.Clear();
  if (identity.size() > kMaxSpecInStream)
    throw Error("the pod's spec takes " + std::to_string(identity.size()) +
                " bytes as it is handed on, and at most " + std::to_string(kMaxSpecInStream) +
                " are possible");
  const bool again = !free_template_ids_.empty();
  const auto id = again ? free_template_ids_.back() : static_cast<uint32_t>(templates_.size());
  if (const auto known = templates_.find(identity); known != templates_.end()) {
    known->second.used = true;
    return known->second.id;
  }
  if (id > kMaxTemplateId) throw Error("a stream cannot have more than 2^20 templates at a time");
  templates_.emplace(std::move(identity), Template{id, true, false});
  if (again) free_template_ids_.pop_back();
  const auto definition = schema::CreateTemplate(builder, id, encode(builder, spec));
  const auto all = builder.CreateVector(&definition, 1);
  write_frame(FrameKind::Templates, builder, schema::CreateTemplates(builder, all));
  return id;
}

size_t StreamWriter::retire_templates() {
  BERTH_ASSERT(pods_.size() == 0);
  std::vector<uint32_t> retired;
  size_t old = 0;
  boost::unordered::erase_if(templates_, [&](auto& entry) {
    Template& one = entry.second;
    if (!std::exchange(one.used, false)) {
      retired.push_back(one.id);
      return true;
    }
    if (std::exchange(one.old, true)) ++old;
    return false;
  });
  templates_.rehash(0);
  std::sort(retired.begin(), retired.end(), std::greater<>());
  free_template_ids_.insert(free_template_ids_.end(), retired.begin(), retired.end());
  Builder& builder = template_builder_;
  for (size_t begin = 0; begin < retired.size(); begin += kMaxVectorLength) {
    const size_t count = std::min(retired.size() - begin, size_t{kMaxVectorLength});
    const auto ids = builder.CreateVector(retired.data() + begin, count);
    write_frame(FrameKind::Templates, builder, schema::CreateTemplates(builder, 0, ids));
  }
  return old;
}

void StreamWriter::write_pods() {
  if (pods_.size() == 0) return;
  pod_count_ += pods_.size();
  write_frame(FrameKind::Pods, builder_, pods_.encode(builder_));
  pods_.clear();
}

// The pod's labels and claims are its own, so pods that differ in nothing else share a template.
Offset<schema::Pod> StreamWriter::encode_pod(const model::Pod& pod) {
  model::Pod unlabelled = pod;
  model::StringMap labels = std::exchange(unlabelled.spec.labels, {});
  std::vector<std::string> claims = take_claims(unlabelled.spec);
  TemplatePod split = TemplatePod::of(std::move(unlabelled));
  split.labels = std::move(labels);
  split.claims = std::move(claims);
  return encode_pod(split);
}

Offset<schema::Pod> StreamWriter::encode_pod(const TemplatePod& pod) {
  return encode(builder_, pod, template_id(*pod.spec));
}

void StreamWriter::cluster(std::span<const model::Node> nodes,
                           std::span<const model::Namespace> namespaces,
                           std::span<const model::Pod> pods,
                           std::span<const model::SelectorOwner> selector_owners,
                           std::span<const model::DisruptionBudget> budgets,
                           std::span<const model::VolumeObject> storage) {
  write_parts(
      FrameKind::Cluster, nodes.size(), [&](size_t i) { return encode(builder_, nodes[i]); },
      [&](auto all) { return schema::CreateCluster(builder_, all); });
  write_parts(
      FrameKind::Cluster, namespaces.size(),
      [&](size_t i) { return encode(builder_, namespaces[i]); },
      [&](auto all) { return schema::CreateCluster(builder_, 0, all); });
  write_parts(
      FrameKind::Cluster, selector_owners.size(),
      [&](size_t i) { return encode(builder_, selector_owners[i]); },
      [&](auto all) { return schema::CreateCluster(builder_, 0, 0, 0, all); });
  write_parts(
      FrameKind::Cluster, budgets.size(), [&](size_t i) { return encode(builder_, budgets[i]); },
      [&](auto all) { return schema::CreateCluster(builder_, 0, 0, 0, 0, all); });
  write_parts(
      FrameKind::Cluster, storage.size(), [&](size_t i) { return encode(builder_, storage[i]); },
      [&](auto all) { return schema::CreateCluster(builder_, 0, 0, 0, 0, 0, all); });
  write_parts(
      FrameKind::Cluster, pods.size(), [&](size_t i) { return encode_pod(pods[i]); },
      [&](auto all) { return schema::CreateCluster(builder_, 0, 0, all); });
}

Offset<schema::Event> StreamWriter::encode_event(const Event& event) {
  Builder& to = builder_;
  const auto node = [&](EventKind kind, const model::Node& object) {
    return schema::CreateEvent(to, kind, encode(to, object));
  };
  const auto pod = [&](EventKind kind, const TemplatePod& object) {
    return schema::CreateEvent(to, kind, 0, encode_pod(object));
  };
  const auto space = [&](EventKind kind, const model::Namespace& object) {
    return schema::CreateEvent(to, kind, 0, 0, encode(to, object));
  };
  const auto name = [&](EventKind kind, const std::string& object) {
    return schema::CreateEvent(to, kind, 0, 0, 0, 0, to.CreateString(object));
  };
  const auto name_in_namespace = [&](EventKind kind, const auto& object,
                                     schema::SelectorOwnerKind of =
                                         schema::SelectorOwnerKind::None) {
    const auto namespace_offset = to.CreateString(object.namespace_name);
    const auto name_offset = to.CreateString(object.name);
    return schema::CreateEvent(to, kind, 0, 0, 0, namespace_offset, name_offset, 0, of);
  };
  const auto selector_owner = [&](EventKind kind, const model::SelectorOwner& object) {
    return schema::CreateEvent(to, kind, 0, 0, 0, 0, 0, encode(to, object));
  };
  const auto budget = [&](EventKind kind, const model::DisruptionBudget& object) {
    return schema::CreateEvent(to, kind, 0, 0, 0, 0, 0, 0, schema::SelectorOwnerKind::None,
                               encode(to, object));
  };
  const auto storage = [&](EventKind kind, const model::VolumeObject& object) {
    return schema::CreateEvent(to, kind, 0, 0, 0, 0, 0, 0, schema::SelectorOwnerKind::None, 0,
                               encode(to, object));
  };
  return std::visit(
      Overloaded{
          [&](const NodeAdded& e) { return node(EventKind::NodeAdded, e.node); },
          [&](const NodeUpdated& e) { return node(EventKind::NodeUpdated, e.node); },
          [&](const NodeDeleted& e) { return name(EventKind::NodeDeleted, e.name); },
          [&](const PodPlaced& e) { return pod(EventKind::PodPlaced, e.pod); },
          [&](const PodUpdated& e) { return pod(EventKind::PodUpdated, e.pod); },
          [&](const PodDeleted& e) { return name_in_namespace(EventKind::PodDeleted, e); },
          [&](const PodFinished& e) { return name_in_namespace(EventKind::PodFinished, e); },
          [&](const NamespaceAdded& e) { return space(EventKind::NamespaceAdded, e.object); },
          [&](const NamespaceUpdated& e) { return space(EventKind::NamespaceUpdated, e.object); },
          [&](const NamespaceDeleted& e) { return name(EventKind::NamespaceDeleted, e.name); },
          [&](const SelectorOwnerAdded& e) {
            return selector_owner(EventKind::SelectorOwnerAdded, e.object);
          },
          [&](const SelectorOwnerUpdated& e) {
            return selector_owner(EventKind::SelectorOwnerUpdated, e.object);
          },
          [&](const SelectorOwnerDeleted& e) {
            return name_in_namespace(EventKind::SelectorOwnerDeleted, e, encode(e.kind));
          },
          [&](const DisruptionBudgetAdded& e) {
            return budget(EventKind::DisruptionBudgetAdded, e.object);
          },
          [&](const DisruptionBudgetUpdated& e) {
            return budget(EventKind::DisruptionBudgetUpdated, e.object);
          },
          [&](const DisruptionBudgetDeleted& e) {
            return name_in_namespace(EventKind::DisruptionBudgetDeleted, e);
          },
          [&](const VolumeObjectAdded& e) {
            return storage(EventKind::StorageObjectAdded, e.object);
          },
          [&](const VolumeObjectUpdated& e) {
            return storage(EventKind::StorageObjectUpdated, e.object);
          },
          [&](const VolumeObjectDeleted& e) {
            return storage(EventKind::StorageObjectDeleted, e.object);
          },
      },
      event);
}

void StreamWriter::events(std::span<const Event> events) {
  write_parts(
      FrameKind::Events, events.size(), [&](size_t i) { return encode_event(events[i]); },
      [&](auto all) { return schema::CreateEvents(builder_, all); });
}

void StreamWriter::end() {
  write_pods();
  write_frame(FrameKind::End, builder_, schema::CreateEnd(builder_, frame_count_, pod_count_));
  ended_ = true;
}

}  // namespace berth::ingest
