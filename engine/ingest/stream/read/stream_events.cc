#include "engine/ingest/stream/read/stream_events.h"

#include <string>
#include <utility>

#include "engine/ingest/admission/pods/admit_template.h"

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
  const auto is = [&](auto... kinds) { return ((in.kind() == kinds) || ...); };
  unexpected(in.node() != nullptr, is(EventKind::NodeAdded, EventKind::NodeUpdated), "node");
  unexpected(in.pod() != nullptr, is(EventKind::PodPlaced, EventKind::PodUpdated), "pod");
  unexpected(in.namespace_object() != nullptr,
             is(EventKind::NamespaceAdded, EventKind::NamespaceUpdated), "namespace_object");
  unexpected(in.namespace_name() != nullptr, of_name_in_namespace(in.kind()), "namespace_name");
  unexpected(in.name() != nullptr, of_name(in.kind()), "name");
  unexpected(in.selector_owner() != nullptr,
             is(EventKind::SelectorOwnerAdded, EventKind::SelectorOwnerUpdated), "selector_owner");
  unexpected(in.selector_owner_kind() != schema::SelectorOwnerKind::None,
             in.kind() == EventKind::SelectorOwnerDeleted, "selector_owner_kind");
  unexpected(in.disruption_budget() != nullptr,
             is(EventKind::DisruptionBudgetAdded, EventKind::DisruptionBudgetUpdated),
             "disruption_budget");
  unexpected(in.storage_object() != nullptr,
             is(EventKind::StorageObjectAdded, EventKind::StorageObjectUpdated,
                EventKind::StorageObjectDeleted),
             "storage_object");
}

// An object that stays: other than an eviction it can be there, change and go.
model::Object staying(ObjectDecoder& decoder, const flatbuffers::String* in) {
  model::Object object = decoder.storage_object(in);
  if (std::holds_alternative<model::EvictionRequest>(object))
    decoder.refuse("an Eviction comes in an event of kind StorageObjectAdded, and nowhere else");
  return object;
}

TemplatePod placed(ObjectDecoder& decoder, const schema::Event& in,
                   const StreamTemplates& templates) {
  TemplatePod pod = pod_with_template(decoder, in.pod(), templates);
  if (pod.node_name.empty()) decoder.refuse("pod.node_name", "is missing");
  if (pod.finished())
    decoder.refuse("pod.phase", "says that the pod is finished, and a placed one is not");
  return pod;
}

Change decode_event(ObjectDecoder& decoder, const schema::Event& in,
                    const StreamTemplates& templates) {
  if (in.kind() == EventKind::None || in.kind() > EventKind::MAX) {
    decoder.refuse("kind", std::to_string(static_cast<int>(in.kind())) + " is not a kind of event");
    return {};
  }
  refuse_others(decoder, in);
  using model::added, model::modified, model::deleted;
  const auto node = [&] { return decoder.node(in.node()); };
  const auto space = [&] { return decoder.namespace_object(in.namespace_object()); };
  const auto owner = [&] { return decoder.selector_owner(in.selector_owner()); };
  const auto budget = [&] { return decoder.disruption_budget(in.disruption_budget()); };
  const auto storage = [&] { return staying(decoder, in.storage_object()); };
  // An object of which only the name is there.
  const auto named = [&](auto object) {
    if constexpr (requires { object.namespace_name; })
      object.namespace_name = decoder.name(in.namespace_name(), "namespace_name");
    object.name = decoder.name(in.name(), "name");
    return object;
  };
  switch (in.kind()) {
    case EventKind::NodeAdded:
      return added(node());
    case EventKind::NodeUpdated:
      return modified(node());
    case EventKind::NodeDeleted:
      return deleted(named(model::Node()));
    case EventKind::PodPlaced:
      return added(placed(decoder, in, templates));
    case EventKind::PodUpdated:
      return modified(pod_with_template(decoder, in.pod(), templates));
    case EventKind::PodDeleted:
      return deleted(named(TemplatePod()));
    case EventKind::PodFinished: {
      TemplatePod pod = named(TemplatePod());
      pod.phase = model::PodPhase::kSucceeded;
      return modified(std::move(pod));
    }
    case EventKind::NamespaceAdded:
      return added(space());
    case EventKind::NamespaceUpdated:
      return modified(space());
    case EventKind::NamespaceDeleted:
      return deleted(named(model::Namespace()));
    case EventKind::SelectorOwnerAdded:
      return added(owner());
    case EventKind::SelectorOwnerUpdated:
      return modified(owner());
    case EventKind::SelectorOwnerDeleted: {
      model::SelectorOwner gone;
      gone.kind = decoder.selector_owner_kind(in.selector_owner_kind(), "selector_owner_kind");
      return deleted(named(std::move(gone)));
    }
    case EventKind::DisruptionBudgetAdded:
      return added(budget());
    case EventKind::DisruptionBudgetUpdated:
      return modified(budget());
    case EventKind::DisruptionBudgetDeleted:
      return deleted(named(model::DisruptionBudget()));
    case EventKind::StorageObjectAdded:
      return added(decoder.storage_object(in.storage_object()));
    case EventKind::StorageObjectUpdated:
      return modified(storage());
    case EventKind::StorageObjectDeleted:
      return deleted(storage());
    case EventKind::None:
      break;
  }
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

void decode_cluster(const schema::Cluster& in, const StreamTemplates& templates,
                    std::vector<Change>& out, const Refusal& refuse) {
  out.clear();
  const auto take = [&](const auto* objects, const char* field, auto decode) {
    each(objects, field, refuse, [&](ObjectDecoder& decoder, const auto& object) {
      auto made = decode(decoder, object);
      if (decoder.good()) out.push_back(model::added(std::move(made)));
    });
  };
  take(in.nodes(), "nodes", [](auto& decoder, const auto& one) { return decoder.node(&one); });
  take(in.namespaces(), "namespaces",
       [](auto& decoder, const auto& one) { return decoder.namespace_object(&one); });
  take(in.selector_owners(), "selector_owners",
       [](auto& decoder, const auto& one) { return decoder.selector_owner(&one); });
  take(in.disruption_budgets(), "disruption_budgets",
       [](auto& decoder, const auto& one) { return decoder.disruption_budget(&one); });
  take(in.storage_objects(), "storage_objects",
       [](auto& decoder, const auto& one) { return staying(decoder, &one); });
  take(in.pods(), "pods",
       [&](auto& decoder, const auto& one) { return pod_with_template(decoder, &one, templates); });
}

void decode_events(const schema::Events& in, const StreamTemplates& templates,
                   std::vector<Change>& out, const Refusal& refuse) {
  out.clear();
  each(in.events(), "events", refuse, [&](ObjectDecoder& decoder, const schema::Event& object) {
    Change change = decode_event(decoder, object, templates);
    if (decoder.good()) out.push_back(std::move(change));
  });
}

}  // namespace berth::ingest
