#pragma once

// Amounts of resources as fields of objects. Internal to this module.

#include <optional>
#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/objects/field_reader.h"
#include "engine/model/objects/quantity.h"

namespace berth::ingest {

// The amount of a resource: a quantity as a string or a number, null being zero as for Go. Nothing
// if it is a fault: no quantity, negative, or more than fits an int64 (of cpu: in thousandths),
// which kube-scheduler would misread. With the defaults of an API server it is rounded up to
// thousandths.
std::optional<model::Quantity> read_quantity(document::Value value, std::string_view resource,
                                             Defaults defaults, Faults& faults);

// A value as a message has it: "the string \"a\"", "an object".
std::string described(document::Value value);

}  // namespace berth::ingest
