#include "engine/kube/lease/lease_event.h"

#include "engine/base/text/time_text.h"
#include "engine/document/json/json_writer.h"
#include "engine/events/event_name.h"

namespace berth::kube {

std::string became_leader_event(const LeaseObject& lease, const LeaseOptions& options,
                                int64_t wall) {
  const std::string time = time_text(wall);
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] {
    json.member("apiVersion", "v1");
    json.member("kind", "Event");
    json.object("metadata", [&] {
      json.member("namespace", options.namespace_name);
      json.member("name", events::event_name(options.name, wall));
    });
    json.object("involvedObject", [&] {
      json.member("apiVersion", "coordination.k8s.io/v1");
      json.member("kind", "Lease");
      json.member("namespace", options.namespace_name);
      json.member("name", options.name);
      json.member_if("uid", lease.uid());
      json.member("resourceVersion", lease.resource_version());
    });
    json.member("reason", "LeaderElection");
    json.member("message", options.identity + " became leader");
    json.member("type", "Normal");
    json.member("count", 1);
    json.member("firstTimestamp", time);
    json.member("lastTimestamp", time);
    json.object("source", [&] { json.member("component", options.component); });
    json.member("reportingComponent", options.component);
    json.member("reportingInstance", "");
  });
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace berth::kube
