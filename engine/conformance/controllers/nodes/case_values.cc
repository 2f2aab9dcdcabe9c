#include "engine/conformance/controllers/nodes/case_values.h"

#include "engine/conformance/case_objects.h"

namespace berth::conformance {

using document::Value;

std::string name_of(Value object) {
  const Value metadata = object.find("metadata");
  const std::string space = text_of(metadata, "namespace");
  return (space.empty() ? space : space + "/") + text_of(metadata, "name");
}

std::vector<model::Taint> taints_of(Value list) {
  std::vector<model::Taint> taints;
  for (Value one : list.elements())
    taints.push_back({text_of(one, "key"), text_of(one, "value"), text_of(one, "effect")});
  return taints;
}

std::vector<model::Toleration> tolerations_of(Value list) {
  std::vector<model::Toleration> tolerations;
  for (Value one : list.elements())
    tolerations.push_back({text_of(one, "key"), text_of(one, "operator"), text_of(one, "value"),
                           text_of(one, "effect"), one.find("tolerationSeconds").as_int64()});
  return tolerations;
}

std::vector<controllers::Condition> conditions_of(Value object) {
  std::vector<controllers::Condition> conditions;
  for (Value one : object.find("status").find("conditions").elements())
    conditions.push_back({text_of(one, "type"),
                          text_of(one, "status"),
                          text_of(one, "reason"),
                          text_of(one, "message"),
                          {}});
  return conditions;
}

std::vector<std::string> nodes_of(Value event) {
  std::vector<std::string> nodes;
  for (Value one : event.find("nodes").elements()) nodes.emplace_back(one.text());
  if (event.find("node").present()) nodes.push_back(text_of(event, "node"));
  return nodes;
}

void write_members(document::JsonWriter& writer, const controllers::Condition& condition) {
  writer.member("type", condition.type);
  writer.member("status", condition.status);
  writer.member("reason", condition.reason);
  writer.member("message", condition.message);
}

}  // namespace berth::conformance
