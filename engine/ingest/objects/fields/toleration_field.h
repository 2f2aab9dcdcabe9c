#pragma once

// Reads tolerations in Kubernetes objects. Internal to this module.

#include <string_view>
#include <vector>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

model::Toleration read_toleration(const FieldReader& in);
// Those in the array field `name` of `in`; empty if it is absent.
std::vector<model::Toleration> read_tolerations(const FieldReader& in, std::string_view name);

}  // namespace berth::ingest
