#pragma once

// Writes parts of Kubernetes objects as JSON members. Internal to this folder.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/document/json/json_writer.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

using document::JsonWriter;

// The value of fields of which only the presence is read.
inline constexpr const char* kSomeTime = "1970-01-01T00:00:00Z";

// Write a member `name`, also if it is empty.
void string_map(JsonWriter& json, std::string_view name, const model::StringMap& map);
void resources(JsonWriter& json, std::string_view name, const model::ResourceList& list);

// A time as the API writes it. Defined in object_json.cc.
std::string time_text(int64_t nanoseconds);

// Defined in json_affinity.cc.
void affinity(JsonWriter& json, const model::Affinity& affinity);
void spread(JsonWriter& json, const model::TopologySpreadConstraint& constraint);
void label_selector(JsonWriter& json, std::string_view name,
                    const std::optional<model::LabelSelector>& selector);

// Defined in storage_json.cc.
// `empty_dir`: one of them is an emptyDir, of which no more is known.
void pod_volumes(JsonWriter& json, const std::vector<model::PodVolume>& volumes, bool empty_dir);

}  // namespace berth::ingest
