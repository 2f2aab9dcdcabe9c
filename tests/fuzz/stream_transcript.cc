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

// JSON contains every member of these.
std::string encoded(const model::VolumeObject& object) {
  std::string json;
  append(object, json);
  return json;
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
      for (const auto& node : batch.cluster.nodes) objects_.push_back(encoded(node));
      for (const auto& space : batch.cluster.namespaces) objects_.push_back(encoded(space));
      for (const auto& owner : batch.cluster.selector_owners) objects_.push_back(encoded(owner));
      for (const auto& budget : batch.cluster.disruption_budgets)
        objects_.push_back(encoded(budget));
      for (const auto& object : batch.cluster.storage) objects_.push_back(encoded(object));
      for (const auto& placed : batch.cluster.pods) objects_.push_back(pod(placed));
      break;
    case BatchKind::kEvents:
      for (const Event& happened : batch.events) objects_.push_back(event(happened));
      break;
    case BatchKind::kPods:
      add(batch.pods);
      break;
    case BatchKind::kBindings:
      add(batch.bindings);
      break;
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

std::string Transcript::pod(const TemplatePod& pod) {
  const model::Pod whole = pod.pod();
  return joined({"pod", encoded(whole.spec), whole.namespace_name, whole.name, whole.uid,
                 whole.controller ? encoded(*whole.controller) : "",
                 std::to_string(static_cast<int>(whole.phase)), whole.nominated_node_name,
                 whole.terminating ? "terminating" : ""});
}

std::string Transcript::event(const Event& event) {
  const std::string content = std::visit(
      [this](const auto& of) -> std::string {
        if constexpr (requires { of.node; }) return encoded(of.node);
        if constexpr (requires { of.pod; }) return pod(of.pod);
        if constexpr (requires { of.object; }) return encoded(of.object);
        if constexpr (requires { of.kind; }) {
          return joined({std::to_string(static_cast<int>(of.kind)), of.namespace_name, of.name});
        }
        if constexpr (requires { of.namespace_name; }) return joined({of.namespace_name, of.name});
        if constexpr (requires { of.name; }) return of.name;
      },
      event);
  return joined({"event", std::to_string(event.index()), content});
}

}  // namespace berth::fuzz
