#include "tests/apiserver/verbs/defaults.h"

#include "tests/apiserver/objects/forms.h"
#include "tests/apiserver/objects/problem.h"

namespace berth::apiserver {
namespace {

void default_to(json::object& object, std::string_view name, json::value value) {
  if (!object.contains(name)) object.emplace(name, std::move(value));
}

// What a container may use is what it asks for, unless it says so.
void default_requests(json::value& container) {
  const json::object* limits = object_at(container, "resources.limits");
  if (limits == nullptr) return;
  const json::object copy = *limits;
  json::object& requests = make_object(container, "resources.requests");
  for (const auto& [name, amount] : copy) default_to(requests, view(name), amount);
}

void default_ports(json::value& container, bool host_network) {
  json::value* ports = find(container, "ports");
  if (ports == nullptr || !ports->is_array()) return;
  for (json::value& port : ports->get_array()) {
    if (!port.is_object()) continue;
    default_to(port.get_object(), "protocol", "TCP");
    const json::value* number = find(port, "containerPort");
    if (host_network && number != nullptr) {
      default_to(port.get_object(), "hostPort", json::value(*number));
    }
  }
}

void default_containers(json::value& tree) {
  const json::value* network = find(tree, "spec.hostNetwork");
  const bool host_network = network != nullptr && network->is_bool() && network->get_bool();
  for (const auto* list : {"spec.containers", "spec.initContainers"}) {
    json::value* containers = find(tree, list);
    if (containers == nullptr || !containers->is_array()) continue;
    for (json::value& container : containers->get_array()) {
      if (!container.is_object()) continue;
      default_requests(container);
      default_ports(container, host_network);
    }
  }
}

const json::value* default_class(Core& core) {
  const json::value* found = nullptr;
  core.store.each(*find_resource("scheduling.k8s.io", "v1", "priorityclasses"), {},
                  [&](Object& object) {
                    const json::value* global = find(object.tree, "globalDefault");
                    if (global != nullptr && global->is_bool() && global->get_bool()) {
                      found = &object.tree;
                    }
                    return found == nullptr;
                  });
  return found;
}

// Admission by priority: the class of the pod says what its priority is.
void set_priority(Core& core, const Resource& pods, json::value& tree) {
  const std::string name(text_at(tree, "spec.priorityClassName"));
  const json::value* its_class = nullptr;
  if (name.empty()) {
    its_class = default_class(core);
  } else {
    const Resource& classes = *find_resource("scheduling.k8s.io", "v1", "priorityclasses");
    const Object* found = core.store.find(classes, name);
    if (found == nullptr) {
      throw forbidden(pods, text_at(tree, "metadata.name"),
                      "no PriorityClass with name " + name + " was found");
    }
    its_class = &found->tree;
  }
  const int64_t priority = its_class == nullptr ? 0 : number_at(*its_class, "value", 0);
  std::string policy(its_class == nullptr ? "" : text_at(*its_class, "preemptionPolicy"));
  if (policy.empty()) policy = "PreemptLowerPriority";
  if (number_at(tree, "spec.priority", priority) != priority) {
    throw forbidden(pods, text_at(tree, "metadata.name"),
                    "the integer value of priority (" +
                        std::to_string(number_at(tree, "spec.priority", 0)) +
                        ") must not be provided in pod spec; priority admission controller "
                        "computed " +
                        std::to_string(priority) + " from the given PriorityClass name");
  }
  json::object& spec = make_object(tree, "spec");
  if (its_class != nullptr) spec["priorityClassName"] = text_at(*its_class, "metadata.name");
  spec["priority"] = priority;
  default_to(spec, "preemptionPolicy", json::value(policy));
}

void fill_in_pod(Core& core, const Resource& resource, json::value& tree) {
  set_priority(core, resource, tree);
  json::object& spec = make_object(tree, "spec");
  default_to(spec, "restartPolicy", "Always");
  default_to(spec, "terminationGracePeriodSeconds", 30);
  default_to(spec, "schedulerName", "default-scheduler");
  default_containers(tree);
  make_object(tree, "status")["phase"] = "Pending";
  if (array_at(tree, "spec.schedulingGates") != nullptr) {
    set_condition(tree, "PodScheduled", "False", core.now_text(),
                  {{"reason", "SchedulingGated"},
                   {"message", "Scheduling is blocked due to non-empty scheduling gates"}});
  }
}

void add_class(Core& core, std::string_view name, int64_t value) {
  const Resource& resource = *find_resource("scheduling.k8s.io", "v1", "priorityclasses");
  json::value tree = {
      {"metadata",
       {{"name", name}, {"uid", core.draw_uid()}, {"creationTimestamp", core.now_text()}}},
      {"value", value},
      {"preemptionPolicy", "PreemptLowerPriority"}};
  normalise(resource, tree);
  core.store.add(resource, std::string(name), std::move(tree));
}

void add_namespace(Core& core, std::string_view name) {
  const Resource& resource = *find_resource("", "v1", "namespaces");
  json::value tree = {
      {"metadata",
       {{"name", name}, {"uid", core.draw_uid()}, {"creationTimestamp", core.now_text()}}}};
  fill_in(core, resource, tree);
  normalise(resource, tree);
  core.store.add(resource, std::string(name), std::move(tree));
}

void add_client_authority(Core& core, const std::string& certificate) {
  const Resource& resource = *find_resource("", "v1", "configmaps");
  json::value tree = {{"metadata",
                       {{"name", "extension-apiserver-authentication"},
                        {"namespace", "kube-system"},
                        {"uid", core.draw_uid()},
                        {"creationTimestamp", core.now_text()}}},
                      {"data",
                       {{"client-ca-file", certificate},
                        {"requestheader-allowed-names", "[]"},
                        {"requestheader-client-ca-file", certificate},
                        {"requestheader-extra-headers-prefix", R"(["X-Remote-Extra-"])"},
                        {"requestheader-group-headers", R"(["X-Remote-Group"])"},
                        {"requestheader-username-headers", R"(["X-Remote-User"])"}}}};
  normalise(resource, tree);
  core.store.add(resource, "kube-system/extension-apiserver-authentication", std::move(tree));
}

}  // namespace

void set_condition(json::value& tree, std::string_view type, std::string_view status,
                   const std::string& now, json::object more) {
  json::array& conditions = make_array(tree, "status.conditions");
  json::value* held = nullptr;
  for (json::value& condition : conditions) {
    if (text_at(condition, "type") == type) held = &condition;
  }
  json::value since(now);
  if (held != nullptr && text_at(*held, "status") == status) {
    if (const json::value* found = find(*held, "lastTransitionTime")) since = *found;
  }
  json::object made{{"type", type}, {"status", status}, {"lastProbeTime", nullptr}};
  made["lastTransitionTime"] = std::move(since);
  for (auto& [name, value] : more) made[name] = std::move(value);
  if (held != nullptr) {
    *held = std::move(made);
  } else {
    conditions.push_back(std::move(made));
  }
}

void fill_in(Core& core, const Resource& resource, json::value& tree) {
  if (resource.status == Resource::StatusPart::kDropped) erase_at(tree, "status");
  if (resource.kind == "Pod") {
    fill_in_pod(core, resource, tree);
  } else if (resource.kind == "Namespace") {
    make_object(tree, "status")["phase"] = "Active";
    json::object& labels = make_object(tree, "metadata.labels");
    labels["kubernetes.io/metadata.name"] = text_at(tree, "metadata.name");
  } else if (resource.kind == "PersistentVolume" || resource.kind == "PersistentVolumeClaim") {
    make_object(tree, "status")["phase"] = "Pending";
  }
}

void add_first_objects(Core& core) {
  for (const auto* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    add_namespace(core, name);
  }
  add_class(core, "system-cluster-critical", 2'000'000'000);
  add_class(core, "system-node-critical", 2'000'001'000);
  if (!core.options.client_authority.empty()) {
    add_client_authority(core, core.options.client_authority);
  }
}

}  // namespace berth::apiserver
