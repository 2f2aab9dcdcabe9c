#include "engine/ingest/stream/read/stream_events.h"

#include <string>
#include <utility>

#include "engine/ingest/admission/pods/admit_template.h"
#include "engine/ingest/stream/stream_versions.h"

namespace berth::ingest {
namespace {

using flatbuffers::uoffset_t;

// Calls `decode(decoder, object)` for each object. `decode` adds the result to a batch if the
// decoder found no fault.
template <typename T, typename Decode>
void each(const flatbuffers::Vector<flatbuffers::Offset<T>>* in, const char* what,
          const Refusal& refuse, Decode decode) {
  if (in == nullptr) return;
  ObjectDecoder decoder;
  for (uoffset_t i = 0; i < in->size(); ++i) {
    decoder.begin(what, i);
    decode(decoder, *in->Get(i));
    if (!decoder.good()) refuse(decoder.fault());
  }
}

TemplatePod pod_with_template(ObjectDecoder& decoder, const schema::Pod* in,
                              const StreamTemplates& templates) {
  TemplatePod out = decoder.pod(in);
  if (in == nullptr) return out;
  out.spec = templates.find(out.template_id);
  if (out.spec == nullptr) {
    decoder.refuse("template_id",
                   "template " + std::to_string(out.template_id) + " was not defined");
    return out;
  }
  if (out.node_name.empty()) out.node_name = out.spec->node_name;
  if (const size_t own = own_claims(*out.spec); !out.claims.empty() && out.claims.size() != own)
    decoder.refuse("claims", claims_problem(out.claims.size(), own));
  std::optional<std::string> problem = own_labels_problem(
      *out.spec, [&](std::string_view key) { return label_of(out.labels, key); });
  if (problem) decoder.refuse("labels", std::move(*problem));
  return out;
}

using schema::EventKind;

bool of_node(EventKind kind) {
  return kind == EventKind::NodeAdded || kind == EventKind::NodeUpdated;
}
bool of_pod(EventKind kind) {
  return kind == EventKind::PodPlaced || kind == EventKind::PodUpdated;
}
bool of_namespace(EventKind kind) {
  return kind == EventKind::NamespaceAdded || kind == EventKind::NamespaceUpdated;
}
bool of_selector_owner(EventKind kind) {
  return kind == EventKind::SelectorOwnerAdded || kind == EventKind::SelectorOwnerUpdated;
}
bool of_disruption_budget(EventKind kind) {
  return kind == EventKind::DisruptionBudgetAdded || kind == EventKind::DisruptionBudgetUpdated;
}
bool of_storage(EventKind kind) {
  return kind == EventKind::StorageObjectAdded || kind == EventKind::StorageObjectUpdated ||
         kind == EventKind::StorageObjectDeleted;
}
bool of_name_in_namespace(EventKind kind) {
  return kind == EventKind::PodDeleted || kind == EventKind::PodFinished ||
         kind == EventKind::SelectorOwnerDeleted || kind == EventKind::DisruptionBudgetDeleted;
}
bool of_name(EventKind kind) {
  return of_name_in_namespace(kind) || kind == EventKind::NodeDeleted ||
         kind == EventKind::NamespaceDeleted;
}

// Rejects fields that the event's kind does not use; otherwise they would be lost silently.
void refuse_others(ObjectDecoder& decoder, const schema::Event& in) {
  const auto unexpected = [&](bool present, bool wanted, const char* field) {
    if (present && !wanted) {
      decoder.refuse(field, std::string("does not belong to an event of kind ") +
                                schema::EnumNameEventKind(in.kind()));
    }
  };
  unexpected(in.node() != nullptr, of_node(in.kind()), "node");
  unexpected(in.pod() != nullptr, of_pod(in.kind()), "pod");
  unexpected(in.namespace_object() != nullptr, of_namespace(in.kind()), "namespace_object");
  unexpected(in.namespace_name() != nullptr, of_name_in_namespace(in.kind()), "namespace_name");
  unexpected(in.name() != nullptr, of_name(in.kind()), "name");
  unexpected(in.selector_owner() != nullptr, of_selector_owner(in.kind()), "selector_owner");
  unexpected(in.selector_owner_kind() != schema::SelectorOwnerKind::None,
             in.kind() == EventKind::SelectorOwnerDeleted, "selector_owner_kind");
  unexpected(in.disruption_budget() != nullptr, of_disruption_budget(in.kind()),
             "disruption_budget");
  unexpected(in.storage_object() != nullptr, of_storage(in.kind()), "storage_object");
}

PodPlaced placed(ObjectDecoder& decoder, const schema::Event& in,
                 const StreamTemplates& templates) {
  PodPlaced event{pod_with_template(decoder, in.pod(), templates)};
  if (event.pod.node_name.empty()) decoder.refuse("pod.node_name", "is missing");
  if (event.pod.phase == model::PodPhase::kSucceeded ||
      event.pod.phase == model::PodPhase::kFailed) {
    decoder.refuse("pod.phase", "says that the pod is finished, and a placed one is not");
  }
  return event;
}

Event decode_event(ObjectDecoder& decoder, const schema::Event& in,
                   const StreamTemplates& templates, uint8_t version) {
  if (!has_event_kind(version, in.kind())) {
    decoder.refuse("kind", std::to_string(static_cast<int>(in.kind())) +
                               " is not a kind of event in version " + std::to_string(version) +
                               " of the format");
    return {};
  }
  refuse_others(decoder, in);
  const auto name = [&] { return decoder.name(in.name(), "name"); };
  const auto namespace_name = [&] { return decoder.name(in.namespace_name(), "namespace_name"); };
  switch (in.kind()) {
    case EventKind::NodeAdded:
      return NodeAdded{decoder.node(in.node())};
    case EventKind::NodeUpdated:
      return NodeUpdated{decoder.node(in.node())};
    case EventKind::NodeDeleted:
      return NodeDeleted{name()};
    case EventKind::PodPlaced:
      return placed(decoder, in, templates);
    case EventKind::PodUpdated:
      return PodUpdated{pod_with_template(decoder, in.pod(), templates)};
    case EventKind::PodDeleted:
      return PodDeleted{namespace_name(), name()};
    case EventKind::PodFinished:
      return PodFinished{namespace_name(), name()};
    case EventKind::NamespaceAdded:
      return NamespaceAdded{decoder.namespace_object(in.namespace_object())};
    case EventKind::NamespaceUpdated:
      return NamespaceUpdated{decoder.namespace_object(in.namespace_object())};
    case EventKind::NamespaceDeleted:
      return NamespaceDeleted{name()};
    case EventKind::SelectorOwnerAdded:
      return SelectorOwnerAdded{decoder.selector_owner(in.selector_owner())};
    case EventKind::SelectorOwnerUpdated:
      return SelectorOwnerUpdated{decoder.selector_owner(in.selector_owner())};
    case EventKind::SelectorOwnerDeleted:
      return SelectorOwnerDeleted{
          decoder.selector_owner_kind(in.selector_owner_kind(), "selector_owner_kind"),
          namespace_name(), name()};
    case EventKind::DisruptionBudgetAdded:
      return DisruptionBudgetAdded{decoder.disruption_budget(in.disruption_budget())};
    case EventKind::DisruptionBudgetUpdated:
      return DisruptionBudgetUpdated{decoder.disruption_budget(in.disruption_budget())};
    case EventKind::DisruptionBudgetDeleted:
      return DisruptionBudgetDeleted{namespace_name(), name()};
    case EventKind::StorageObjectAdded:
      return VolumeObjectAdded{decoder.storage_object(in.storage_object())};
    case EventKind::StorageObjectUpdated:
      return VolumeObjectUpdated{decoder.storage_object(in.storage_object())};
    case EventKind::StorageObjectDeleted:
      return VolumeObjectDeleted{decoder.storage_object(in.storage_object())};
    case EventKind::None:
      break;
  }
  decoder.refuse("kind", std::to_string(static_cast<int>(in.kind())) + " is not a kind of event");
  return {};
}

}  // namespace

void decode_templates(const schema::Templates& in, StreamTemplates& templates,
                      std::vector<uint32_t>& retired, std::vector<TemplateDefinition>& out,
                      const Refusal& refuse) {
  retired.clear();
  out.clear();
  for (uoffset_t i = 0; in.retired() != nullptr && i < in.retired()->size(); ++i) {
    const uint32_t id = in.retired()->Get(i);
    if (templates.retire(id)) {
      retired.push_back(id);
    } else {
      refuse({"retired[" + std::to_string(i) + "]",
              "template " + std::to_string(id) + " was not defined"});
    }
  }
  each(in.templates(), "templates", refuse,
       [&](ObjectDecoder& decoder, const schema::Template& object) {
         const auto spec = std::make_shared<const model::PodSpec>(decoder.pod_spec(object.spec()));
         if (decoder.good()) admit_template(*spec, decoder);
         if (!decoder.good()) return;
         if (auto problem = templates.define(object.id(), spec)) {
           return decoder.refuse("id", std::move(*problem));
         }
         out.push_back({object.id(), spec});
       });
}

void decode_cluster(const schema::Cluster& in, const StreamTemplates& templates, ClusterPart& out,
                    const Refusal& refuse) {
  out = {};
  each(in.nodes(), "nodes", refuse, [&](ObjectDecoder& decoder, const schema::Node& object) {
    model::Node node = decoder.node(&object);
    if (decoder.good()) out.nodes.push_back(std::move(node));
  });
  each(in.namespaces(), "namespaces", refuse,
       [&](ObjectDecoder& decoder, const schema::Namespace& object) {
         model::Namespace made = decoder.namespace_object(&object);
         if (decoder.good()) out.namespaces.push_back(std::move(made));
       });
  each(in.selector_owners(), "selector_owners", refuse,
       [&](ObjectDecoder& decoder, const schema::SelectorOwner& object) {
         model::SelectorOwner owner = decoder.selector_owner(&object);
         if (decoder.good()) out.selector_owners.push_back(std::move(owner));
       });
  each(in.disruption_budgets(), "disruption_budgets", refuse,
       [&](ObjectDecoder& decoder, const schema::DisruptionBudget& object) {
         model::DisruptionBudget budget = decoder.disruption_budget(&object);
         if (decoder.good()) out.disruption_budgets.push_back(std::move(budget));
       });
  each(in.storage_objects(), "storage_objects", refuse,
       [&](ObjectDecoder& decoder, const flatbuffers::String& json) {
         model::VolumeObject object = decoder.storage_object(&json);
         if (decoder.good()) out.storage.push_back(std::move(object));
       });
  each(in.pods(), "pods", refuse, [&](ObjectDecoder& decoder, const schema::Pod& object) {
    TemplatePod pod = pod_with_template(decoder, &object, templates);
    if (decoder.good()) out.pods.push_back(std::move(pod));
  });
}

void decode_events(const schema::Events& in, const StreamTemplates& templates, uint8_t version,
                   std::vector<Event>& out, const Refusal& refuse) {
  out.clear();
  each(in.events(), "events", refuse, [&](ObjectDecoder& decoder, const schema::Event& object) {
    Event event = decode_event(decoder, object, templates, version);
    if (decoder.good()) out.push_back(std::move(event));
  });
}

}  // namespace berth::ingest
