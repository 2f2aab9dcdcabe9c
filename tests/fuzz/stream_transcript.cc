#include "tests/fuzz/stream_transcript.h"

#include <flatbuffers/flatbuffers.h>

#include <variant>

#include "engine/ingest/stream/write/stream_encode.h"
#include "engine/ingest/written/object_json.h"

namespace berth::fuzz {
namespace {

using namespace ingest;

// Includes lengths, so that different lists give different texts.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) {
    out += std::to_string(part.size()) + ":";
    out += part;
  }
  return out;
}

// The encoding contains every member, so comparing encodings compares objects.
std::string encoded(const auto& object) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(encode(builder, object));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

std::string encoded(const TemplatePod& pod) {
  const model::Pod whole = pod.pod();
  return joined({encoded(whole.spec), whole.namespace_name, whole.name, whole.uid,
                 whole.controller ? encoded(*whole.controller) : "",
                 std::to_string(static_cast<int>(whole.phase)), whole.nominated_node_name,
                 whole.terminating ? "terminating" : "",
                 std::to_string(static_cast<int>(whole.ready))});
}

// JSON contains every member of these.
std::string as_json(const auto& object) {
  std::string json;
  append(object, json);
  return json;
}
std::string encoded(const model::VolumeObject& object) { return as_json(object); }
std::string encoded(const model::PodGroup& group) { return as_json(group); }
std::string encoded(const model::EvictionRequest& request) { return as_json(request); }
std::string encoded(const model::ControllerObject& object) { return as_json(object); }

std::string encoded(const Change& change) {
  return joined({std::to_string(static_cast<int>(change.operation)),
                 std::to_string(change.object.index()),
                 std::visit([](const auto& one) { return encoded(one); }, change.object)});
}

}  // namespace

void Transcript::add(const Batch& batch) {
  switch (batch.kind) {
    case BatchKind::kNote:
      objects_.push_back(joined({"note", batch.note}));
      break;
    case BatchKind::kTemplates:
      for (const uint32_t id : batch.retired_templates) specs_.erase(id);
      for (const auto& [id, spec] : batch.templates) specs_[id] = encoded(*spec);
      break;
    case BatchKind::kCluster:
    case BatchKind::kEvents:
      for (const Change& change : batch.changes)
        objects_.push_back(
            joined({batch.kind == BatchKind::kEvents ? "event" : "cluster", encoded(change)}));
      break;
    case BatchKind::kPods:
      add(batch.pods);
      break;
    case BatchKind::kBindings:
      add(batch.bindings);
      break;
    case BatchKind::kTime:  // of lines alone
    case BatchKind::kEnd:
      break;
  }
}

void Transcript::add(const PodBatch& pods) {
  std::string all = "pods";
  for (size_t i = 0, label = 0; i < pods.size(); ++i) {
    all += joined({specs_.at(pods.template_ids[i]), pods.namespace_of(i), pods.names[i],
                   pods.uids.empty() ? "" : pods.uids[i],
                   pods.nominated_nodes.empty() ? "" : pods.nominated_nodes[i]});
    if (!pods.created_at.empty()) all += std::to_string(pods.created_at[i]);
    if (const model::Controller* controller = pods.controller_of(i)) {
      all += "controller" + joined({encoded(*controller)});
    }
    for (const std::string_view claim : pods.claims_of(i)) all += "claim" + joined({claim});
    if (pods.label_ends.empty()) continue;
    for (; label < pods.label_ends[i]; ++label) {
      all += "label" + joined({pods.labels[label].first, pods.labels[label].second});
    }
  }
  objects_.push_back(std::move(all));
}

void Transcript::add(const BindingBatch& bindings) {
  for (size_t i = 0; i < bindings.size(); ++i) {
    bindings_.push_back(joined({bindings.namespaces[i], bindings.names[i], bindings.nodes[i]}));
  }
}

}  // namespace berth::fuzz
