#pragma once

// Reads selectors in Kubernetes objects. Internal to this module.

#include <optional>
#include <string_view>
#include <vector>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The requirements in the array field `name` of `in`; empty if it is absent.
std::vector<model::Requirement> read_requirements(const FieldReader& in, std::string_view name);

// The metav1.LabelSelector in the field `name` of `in`, or nullopt if it is absent.
std::optional<model::LabelSelector> read_label_selector(const FieldReader& in,
                                                        std::string_view name);

}  // namespace berth::ingest
