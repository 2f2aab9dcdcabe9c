#include "tests/apiserver/tables/columns.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/apiserver/tables/age.h"

namespace berth::apiserver {
namespace {

std::string text_or(const json::value& object, std::string_view path, std::string_view otherwise) {
  const std::string_view text = text_at(object, path);
  return std::string(text.empty() ? otherwise : text);
}

// Null: there is none of the type.
const json::value* condition_of(const json::value& object, std::string_view type) {
  const json::array* conditions = array_at(object, "status.conditions");
  if (conditions == nullptr) return nullptr;
  const auto* found = std::ranges::find_if(
      *conditions, [&](const json::value& one) { return text_at(one, "type") == type; });
  return found == conditions->end() ? nullptr : found;
}

bool is_true(const json::value& object, std::string_view path) {
  const json::value* found = find(object, path);
  return found != nullptr && found->is_bool() && found->get_bool();
}

constexpr Column kPodColumns[] = {{"Name"}, {"Ready"},    {"Status"},     {"Restarts"},
                                  {"Age"},  {"IP", true}, {"Node", true}, {"Nominated Node", true}};

std::string pod_status(const json::value& pod) {
  const std::string phase(text_at(pod, "status.phase"));
  const bool over = phase == "Succeeded" || phase == "Failed";
  if (!over && !text_at(pod, "metadata.deletionTimestamp").empty()) return "Terminating";
  const json::value* scheduled = condition_of(pod, "PodScheduled");
  if (scheduled != nullptr && text_at(*scheduled, "reason") == "SchedulingGated") {
    return "SchedulingGated";
  }
  return text_or(pod, "status.reason", phase);
}

json::array pod_cells(const json::value& pod, Nanoseconds now) {
  const json::array* containers = array_at(pod, "spec.containers");
  int64_t ready = 0, restarts = 0;
  if (const json::array* statuses = array_at(pod, "status.containerStatuses")) {
    for (const json::value& status : *statuses) {
      ready += is_true(status, "ready") ? 1 : 0;
      restarts += number_at(status, "restartCount", 0);
    }
  }
  const json::array* ips = array_at(pod, "status.podIPs");
  return {
      text_at(pod, "metadata.name"),
      std::to_string(ready) + "/" + std::to_string(containers == nullptr ? 0 : containers->size()),
      pod_status(pod),
      std::to_string(restarts),
      age_text(text_at(pod, "metadata.creationTimestamp"), now),
      ips == nullptr ? "<none>" : text_or(ips->front(), "ip", "<none>"),
      text_or(pod, "spec.nodeName", "<none>"),
      text_or(pod, "status.nominatedNodeName", "<none>")};
}

constexpr Column kNodeColumns[] = {{"Name"}, {"Status"}, {"Roles"}, {"Age"}, {"Version"}};

std::string node_status(const json::value& node) {
  const json::value* ready = condition_of(node, "Ready");
  std::string made = "Unknown";
  if (ready != nullptr) made = text_at(*ready, "status") == "True" ? "Ready" : "NotReady";
  return is_true(node, "spec.unschedulable") ? made + ",SchedulingDisabled" : made;
}

std::string node_roles(const json::value& node) {
  constexpr std::string_view kRole = "node-role.kubernetes.io/";
  std::set<std::string_view> roles;
  if (const json::object* labels = object_at(node, "metadata.labels")) {
    for (const auto& [name, value] : *labels) {
      if (view(name).starts_with(kRole)) roles.insert(view(name).substr(kRole.size()));
    }
  }
  std::string made;
  for (const std::string_view role : roles) made.append(made.empty() ? "" : ",").append(role);
  return made.empty() ? "<none>" : made;
}

json::array node_cells(const json::value& node, Nanoseconds now) {
  return {text_at(node, "metadata.name"), node_status(node), node_roles(node),
          age_text(text_at(node, "metadata.creationTimestamp"), now),
          text_at(node, "status.nodeInfo.kubeletVersion")};
}

constexpr Column kEventColumns[] = {{"Last Seen"},    {"Type"},    {"Reason"},    {"Object"},
                                    {"Source", true}, {"Message"}, {"Name", true}};

std::string_view last_seen(const json::value& event) {
  for (const auto* path :
       {"series.lastObservedTime", "lastTimestamp", "firstTimestamp", "eventTime"}) {
    if (const std::string_view time = text_at(event, path); !time.empty()) return time;
  }
  return {};
}

json::array event_cells(const json::value& event, Nanoseconds now) {
  std::string object(text_at(event, "involvedObject.kind"));
  std::ranges::transform(object, object.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
  if (const std::string_view name = text_at(event, "involvedObject.name"); !name.empty()) {
    object.append("/").append(name);
  }
  return {age_text(last_seen(event), now),
          text_at(event, "type"),
          text_at(event, "reason"),
          std::move(object),
          text_or(event, "source.component", text_at(event, "reportingComponent")),
          text_at(event, "message"),
          text_at(event, "metadata.name")};
}

constexpr Columns kPods{kPodColumns, pod_cells}, kNodes{kNodeColumns, node_cells},
    kEvents{kEventColumns, event_cells};

}  // namespace

const Columns* columns_of(const Resource& resource) {
  if (!resource.group.empty()) return nullptr;
  if (resource.kind == "Pod") return &kPods;
  if (resource.kind == "Node") return &kNodes;
  return resource.kind == "Event" ? &kEvents : nullptr;
}

}  // namespace berth::apiserver
