#include "engine/ingest/stream/write/stream_writer.h"

#include <algorithm>
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
#include "engine/ingest/written/object_json.h"

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
  builder_.Clear();  // of an object that was too large
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
                " bytes in a frame, and at most " + std::to_string(kMaxSpecInStream) +
                " are possible");
  const auto [id, fresh] = templates_.id_of(std::move(identity));
  if (!fresh) return id;
  const auto definition = schema::CreateTemplate(builder, id, encode(builder, spec));
  const auto all = builder.CreateVector(&definition, 1);
  write_frame(FrameKind::Templates, builder, schema::CreateTemplates(builder, all));
  return id;
}

void StreamWriter::retire_templates() {
  BERTH_ASSERT(pods_.size() == 0);
  const std::vector<uint32_t> retired = templates_.retire();
  Builder& builder = template_builder_;
  for (size_t begin = 0; begin < retired.size(); begin += kMaxVectorLength) {
    const size_t count = std::min(retired.size() - begin, size_t{kMaxVectorLength});
    const auto ids = builder.CreateVector(retired.data() + begin, count);
    write_frame(FrameKind::Templates, builder, schema::CreateTemplates(builder, 0, ids));
  }
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

template <typename Kind, typename Encode, typename Finish>
void StreamWriter::write_kind(std::span<const Change> objects, Encode encode, Finish finish) {
  std::vector<const Kind*> kind;
  model::each<Kind>(objects, [&](const Kind& object) { kind.push_back(&object); });
  write_parts(
      FrameKind::Cluster, kind.size(), [&](size_t i) { return encode(*kind[i]); }, finish);
}

// Objects of the kinds that a frame holds as JSON share frames.
void StreamWriter::write_json(std::span<const Change> objects) {
  std::vector<const model::Object*> kept;
  for (const Change& change : objects)
    if (std::holds_alternative<model::VolumeObject>(change.object) ||
        std::holds_alternative<model::PodGroup>(change.object) ||
        std::holds_alternative<model::ControllerObject>(change.object))
      kept.push_back(&change.object);
  const auto text = [&](size_t i) {
    std::string json;
    append(*kept[i], json);
    return builder_.CreateString(json);
  };
  write_parts(FrameKind::Cluster, kept.size(), text,
              [&](auto all) { return schema::CreateCluster(builder_, 0, 0, 0, 0, 0, all); });
}

void StreamWriter::cluster(std::span<const Change> objects) {
  static_assert(std::variant_size_v<model::Object> == 9, "a kind is missing below");
  BERTH_ASSERT(std::ranges::none_of(objects, [](const Change& change) {
    return std::holds_alternative<model::EvictionRequest>(change.object);
  }));
  const auto whole = [&](const auto& object) { return encode(builder_, object); };
  write_kind<model::Node>(objects, whole,
                          [&](auto all) { return schema::CreateCluster(builder_, all); });
  write_kind<model::Namespace>(objects, whole,
                               [&](auto all) { return schema::CreateCluster(builder_, 0, all); });
  write_kind<model::SelectorOwner>(
      objects, whole, [&](auto all) { return schema::CreateCluster(builder_, 0, 0, 0, all); });
  write_kind<model::DisruptionBudget>(
      objects, whole, [&](auto all) { return schema::CreateCluster(builder_, 0, 0, 0, 0, all); });
  write_json(objects);
  write_kind<TemplatePod>(
      objects, [&](const TemplatePod& pod) { return encode_pod(pod.pod()); },
      [&](auto all) { return schema::CreateCluster(builder_, 0, 0, all); });
}

namespace {

// The kinds of events about one kind of objects. A deletion has the names alone, where it has them.
struct EventKinds {
  EventKind added, modified, deleted;

  EventKind of(model::Operation operation) const {
    if (operation == model::Operation::kAdded) return added;
    return operation == model::Operation::kModified ? modified : deleted;
  }
};

// Builds the fields of an event.
class EventFields {
 public:
  EventFields(flatbuffers::FlatBufferBuilder& to, const Change& change)
      : to_(to), change_(change) {}

  Offset<schema::Event> of(const model::Node& node) {
    constexpr EventKinds kKinds{EventKind::NodeAdded, EventKind::NodeUpdated,
                                EventKind::NodeDeleted};
    if (deleted()) return named(kKinds.deleted, node);
    return schema::CreateEvent(to_, kKinds.of(change_.operation), encode(to_, node));
  }
  Offset<schema::Event> of(const model::Namespace& space) {
    constexpr EventKinds kKinds{EventKind::NamespaceAdded, EventKind::NamespaceUpdated,
                                EventKind::NamespaceDeleted};
    if (deleted()) return named(kKinds.deleted, space);
    return schema::CreateEvent(to_, kKinds.of(change_.operation), 0, 0, encode(to_, space));
  }
  Offset<schema::Event> of(const model::SelectorOwner& owner) {
    constexpr EventKinds kKinds{EventKind::SelectorOwnerAdded, EventKind::SelectorOwnerUpdated,
                                EventKind::SelectorOwnerDeleted};
    if (deleted()) return named(kKinds.deleted, owner, encode(owner.kind));
    return schema::CreateEvent(to_, kKinds.of(change_.operation), 0, 0, 0, 0, 0,
                               encode(to_, owner));
  }
  Offset<schema::Event> of(const model::DisruptionBudget& budget) {
    constexpr EventKinds kKinds{EventKind::DisruptionBudgetAdded,
                                EventKind::DisruptionBudgetUpdated,
                                EventKind::DisruptionBudgetDeleted};
    if (deleted()) return named(kKinds.deleted, budget);
    return schema::CreateEvent(to_, kKinds.of(change_.operation), 0, 0, 0, 0, 0, 0,
                               schema::SelectorOwnerKind::None, encode(to_, budget));
  }
  Offset<schema::Event> of(const model::VolumeObject& object) { return as_json(object); }
  Offset<schema::Event> of(const model::PodGroup& group) { return as_json(group); }
  Offset<schema::Event> of(const model::EvictionRequest& request) { return as_json(request); }
  Offset<schema::Event> of(const model::ControllerObject& object) { return as_json(object); }
  // Of a pod of which only the name is there: it is gone or has finished.
  Offset<schema::Event> of(const TemplatePod& pod) {
    return named(deleted() ? EventKind::PodDeleted : EventKind::PodFinished, pod);
  }

 private:
  bool deleted() const { return change_.operation == model::Operation::kDeleted; }

  template <typename Object>
  Offset<schema::Event> as_json(const Object& object) {
    constexpr EventKinds kKinds{EventKind::StorageObjectAdded, EventKind::StorageObjectUpdated,
                                EventKind::StorageObjectDeleted};
    return schema::CreateEvent(to_, kKinds.of(change_.operation), 0, 0, 0, 0, 0, 0,
                               schema::SelectorOwnerKind::None, 0, encode(to_, object));
  }

  template <typename Named>
  Offset<schema::Event> named(EventKind kind, const Named& object,
                              schema::SelectorOwnerKind of = schema::SelectorOwnerKind::None) {
    Offset<flatbuffers::String> space = 0;
    if constexpr (requires { object.namespace_name; })
      space = to_.CreateString(object.namespace_name);
    const auto name = to_.CreateString(object.name);
    return schema::CreateEvent(to_, kind, 0, 0, 0, space, name, 0, of);
  }

  flatbuffers::FlatBufferBuilder& to_;
  const Change& change_;
};

}  // namespace

Offset<schema::Event> StreamWriter::encode_event(const Change& change) {
  const auto* pod = std::get_if<TemplatePod>(&change.object);
  if (pod != nullptr && change.operation != model::Operation::kDeleted && pod->spec != nullptr) {
    const bool placed = change.operation == model::Operation::kAdded;
    return schema::CreateEvent(builder_, placed ? EventKind::PodPlaced : EventKind::PodUpdated, 0,
                               encode_pod(*pod));
  }
  return std::visit([&](const auto& object) { return EventFields(builder_, change).of(object); },
                    change.object);
}

void StreamWriter::events(std::span<const Change> changes) {
  write_parts(
      FrameKind::Events, changes.size(), [&](size_t i) { return encode_event(changes[i]); },
      [&](auto all) { return schema::CreateEvents(builder_, all); });
}

void StreamWriter::end() {
  write_pods();
  write_frame(FrameKind::End, builder_, schema::CreateEnd(builder_, frame_count_, pod_count_));
  ended_ = true;
}

}  // namespace berth::ingest
