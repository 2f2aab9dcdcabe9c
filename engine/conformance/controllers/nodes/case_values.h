#pragma once

// Parts of nodes and pods in cases, as values of the controllers. Fields that are absent are empty.

#include <string>
#include <vector>

#include "engine/controllers/conditions.h"
#include "engine/controllers/pods/taint_eviction.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"
#include "engine/model/objects/objects.h"

namespace berth::conformance {

// "NAMESPACE/NAME", or the name alone of an object without namespace.
std::string name_of(document::Value object);

std::vector<model::Taint> taints_of(document::Value list);
std::vector<model::Toleration> tolerations_of(document::Value list);
// Their transitions are 0.
std::vector<controllers::Condition> conditions_of(document::Value object);

// Members `node` and `nodes` of an event: the names of both.
std::vector<std::string> nodes_of(document::Value event);

// The members type, status, reason and message.
void write_members(document::JsonWriter& writer, const controllers::Condition& condition);

}  // namespace berth::conformance
