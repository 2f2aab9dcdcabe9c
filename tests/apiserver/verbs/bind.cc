#include "tests/apiserver/verbs/bind.h"

#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/verbs/defaults.h"
#include "tests/apiserver/verbs/write.h"

namespace berth::apiserver {
namespace {

void require_free(const Resource& pods, const json::value& pod) {
  const std::string name(text_at(pod, "metadata.name"));
  std::string why;
  if (!text_at(pod, "metadata.deletionTimestamp").empty()) {
    why = "pod " + name + " is being deleted, cannot be assigned to a host";
  } else if (const std::string_view node = text_at(pod, "spec.nodeName"); !node.empty()) {
    why = "pod " + name + " is already assigned to node \"" + std::string(node) + "\"";
  } else if (array_at(pod, "spec.schedulingGates") != nullptr) {
    why = "pod " + name + " has non-empty .spec.schedulingGates";
  } else {
    return;
  }
  throw conflict(pods, "pods/binding", name, why);
}

void copy_members(const json::value& from, json::value& to, std::string_view path) {
  const json::object* members = object_at(from, path);
  if (members == nullptr) return;
  json::object& into = make_object(to, path);
  for (const auto& [name, value] : *members) into[name] = value;
}

// Admission PodTopologyLabels.
void copy_topology(Core& core, std::string_view node, json::value& pod) {
  const Object* found = core.store.find(*find_resource("", "v1", "nodes"), node);
  const json::object* labels =
      found == nullptr ? nullptr : object_at(found->tree, "metadata.labels");
  if (labels == nullptr) return;
  for (const auto* name : {"topology.kubernetes.io/zone", "topology.kubernetes.io/region"}) {
    const json::value* value = labels->if_contains(name);
    if (value != nullptr) make_object(pod, "metadata.labels")[name] = *value;
  }
}

}  // namespace

Answer bind_pod(Call& call) {
  const json::value binding = parse_object(call.request.body);
  const std::string_view name = text_at(binding, "metadata.name");
  const std::string_view node = text_at(binding, "target.name");
  if (call.route.name.empty()) {
    call.route.name = name;
  } else if (!name.empty() && name != call.route.name) {
    throw bad_request("name in URL does not match name in Binding object");
  }
  if (node.empty()) throw Problem(500, "", "target.name: Required value");

  Object& object = object_of(call);
  json::value& pod = object.tree;
  require_versions(call.resource(), object, text_at(binding, "metadata.uid"),
                   text_at(binding, "metadata.resourceVersion"));
  require_free(call.resource(), pod);

  make_object(pod, "spec")["nodeName"] = node;
  copy_members(binding, pod, "metadata.annotations");
  copy_members(binding, pod, "metadata.labels");
  copy_topology(call.core, node, pod);
  erase_at(pod, "status.nominatedNodeName");
  set_condition(pod, "PodScheduled", "True", call.core.now_text());
  call.core.store.write(call.resource(), object);
  static const std::string body = success_json();
  return {201, body};
}

}  // namespace berth::apiserver
