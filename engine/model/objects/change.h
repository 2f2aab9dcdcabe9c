#pragma once

// The one form in which objects travel: files, watches, streams, load generators and recorded cases
// hand changes to the core's door. Plain values that own their texts and hold no interned ids, so a
// change means the same in every process, and can be recorded and applied again.
//
//   apply(added(node), "nodes.yaml");
//   apply(deleted_pod("default", "web-0"), "watch");
//
// A change carries the whole object as it is afterwards. The state before is in the model; the core
// compares the two.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/objects/pod_batch.h"
#include "engine/model/objects/pod_group.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::model {

struct ControllerObjectData;  // controller_objects.h

// An object of a kind that scheduling does not read, and the controllers of a run do.
struct ControllerObject {
  std::string kind;
  std::string name, namespace_name;                  // empty where the kind has none
  std::string json;                                  // the object as it came
  std::shared_ptr<const ControllerObjectData> data;  // null of a deleted one
};

// An object of any kind that is read, or a request that a client makes beside it.
using Object = std::variant<Node, Namespace, TemplatePod, SelectorOwner, DisruptionBudget,
                            VolumeObject, PodGroup, EvictionRequest, ControllerObject>;

// As the types of watch events. The model treats kAdded and kModified alike: it compares the object
// with the one of its kind and name that it has, if it has one. Of a deleted object, and of a pod
// that has finished, only kind and name count.
enum class Operation : uint8_t { kAdded, kModified, kDeleted };

// The type of the watch event: "ADDED".
constexpr std::string_view event_type(Operation operation) {
  constexpr std::string_view kTypes[] = {"ADDED", "MODIFIED", "DELETED"};
  return kTypes[static_cast<size_t>(operation)];
}

struct Change {
  Operation operation = Operation::kAdded;
  Object object;
};

inline Change added(Object object) { return {Operation::kAdded, std::move(object)}; }
inline Change modified(Object object) { return {Operation::kModified, std::move(object)}; }
inline Change deleted(Object object) { return {Operation::kDeleted, std::move(object)}; }
Change deleted_node(std::string name);
Change deleted_pod(std::string namespace_name, std::string name);
Change finished_pod(std::string namespace_name, std::string name);

// Calls `call` with each object of this kind that is there after the changes.
template <typename Kind, typename Call>
void each(std::span<const Change> changes, Call call) {
  for (const Change& change : changes)
    if (const auto* object = std::get_if<Kind>(&change.object);
        object != nullptr && change.operation != Operation::kDeleted)
      call(*object);
}

// These objects, in order.
template <typename Kind>
std::vector<Kind> objects_of(std::span<const Change> changes) {
  std::vector<Kind> out;
  each<Kind>(changes, [&](const Kind& object) { out.push_back(object); });
  return out;
}

// The name of an object's kind in the API: "Node".
std::string_view kind_of(SelectorOwnerKind kind);
constexpr std::string_view kind_of(const Node&) { return "Node"; }
constexpr std::string_view kind_of(const Namespace&) { return "Namespace"; }
constexpr std::string_view kind_of(const Pod&) { return "Pod"; }
constexpr std::string_view kind_of(const TemplatePod&) { return "Pod"; }
constexpr std::string_view kind_of(const DisruptionBudget&) { return "PodDisruptionBudget"; }
constexpr std::string_view kind_of(const PodGroup&) { return "PodGroup"; }
constexpr std::string_view kind_of(const EvictionRequest&) { return "Eviction"; }
inline std::string_view kind_of(const ControllerObject& object) { return object.kind; }
inline std::string_view kind_of(const SelectorOwner& owner) { return kind_of(owner.kind); }
std::string_view kind_of(const Object& object);

// An object's name, with its namespace and a slash before it if its kind has namespaces.
template <typename One>
requires requires(const One& object) { object.name.size(); }
std::string full_name(const One& object) {
  if constexpr (requires { object.namespace_name; })
    return object.namespace_name + "/" + object.name;
  return object.name;
}
inline std::string full_name(const ControllerObject& object) {
  if (object.namespace_name.empty()) return object.name;
  return object.namespace_name + "/" + object.name;
}
std::string full_name(const Object& object);

}  // namespace berth::model
