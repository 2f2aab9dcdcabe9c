#pragma once

// Reads resource amounts in objects. Internal to this module.

#include <optional>
#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/quantity.h"

namespace berth::ingest {

// The amount of a resource, given as a string or a number; null is zero, as in Go. Returns nullopt
// after reporting a fault: not a quantity, negative, or beyond int64 (cpu: in thousandths), where
// kube-scheduler's arithmetic would overflow. With the defaults of an API server, the amount is
// rounded up to thousandths.
std::optional<model::Quantity> read_quantity(document::Value value, std::string_view resource,
                                             Defaults defaults, Faults& faults);

// Describes a value for messages: "the string \"a\"", "an object".
std::string described(document::Value value);

}  // namespace berth::ingest
